package acp

var (
	sessionNames = []string{"sessionId", "modeId", "modes", "configOptions", "configId", "value"}
	modesNames   = []string{"currentModeId"}
	configNames  = []string{"id", "configId", "category", "currentValue"}
)

// ReadSession reads a sessionId and, where there are any, the current mode's
// id, from params or a result: modes.currentModeId or the config option that is
// the mode, in results; modeId of session/set_mode, or the value that
// session/set_config_option gives to the option "mode", in params.
func ReadSession(value []byte) (session, mode String) {
	var modeID, current, option, config, chosen String
	var w walker
	w.walk(value, sessionNames, func(name string, i int) (int, bool) {
		switch name {
		case "modeId":
			return w.str(i, &modeID)
		case "modes":
			current = String{}
			return w.members(i, modesNames, func(_ string, i int) (int, bool) { return w.str(i, &current) })
		case "configOptions":
			return w.modeOption(i, &option)
		case "configId":
			return w.str(i, &config)
		case "value":
			return w.str(i, &chosen)
		}
		return w.str(i, &session)
	})
	if config.Value != modeConfig {
		chosen = String{}
	}
	for _, mode = range []String{modeID, current, option, chosen} {
		if !mode.Missing() {
			break
		}
	}
	return session, mode
}

// modeConfig is the category of the config option that is the session's mode,
// and its id where it has no category.
const modeConfig = "mode"

// modeOption reads the current value of the config option that is the mode: the
// first one of that category, else the first one of that name.
func (w *walker) modeOption(i int, mode *String) (end int, ok bool) {
	var named, categorized String
	end, ok = w.entries(i, func(i int) (int, bool) {
		var id, category, current String
		end, ok := w.members(i, configNames, func(name string, i int) (int, bool) {
			switch name {
			case "category":
				return w.str(i, &category)
			case "currentValue":
				return w.str(i, &current)
			}
			return w.str(i, &id)
		})
		switch modeConfig {
		case category.Value:
			first(&categorized, current)
		case id.Value:
			first(&named, current)
		}
		return end, ok
	})
	if *mode = categorized; mode.Raw == nil {
		*mode = named
	}
	return end, ok
}

// first keeps the first value that is there.
func first(kept *String, s String) {
	if kept.Raw == nil {
		*kept = s
	}
}

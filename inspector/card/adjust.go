package card

import "time"

// Adjust changes how careful the card is from now on. What was typed before counts
// for nothing.
func (c *Card) Adjust(o Options) {
	c.options = o.orDefault()
	c.arming.delay = c.options.Arm
	c.disarm("a setting was changed")
}

// Delay is how long keys that allow wait.
func (o Options) Delay() time.Duration { return o.orDefault().Arm }

package card

import (
	"slices"
	"time"

	"bobproxy/inspector/model"
)

// dossier is what is remembered of a request while others are looked at.
type dossier struct {
	of      *model.Proxy // another that runs under its name later may ask under the same names
	request string
	digest  string
	read    []bool // which lines of it have been on the screen as a whole
	sent    *sent  // an answer that was given here; nil: none that counts or could
	doubt   *sent  // one that nobody knows the fate of
	disk    disk
}

// sent is an answer that was given here.
type sent struct {
	number int    // of the option; 0: none, the outcome is cancelled
	option string // its id
	name   string
	deny   bool // by the key that rejects: the proxy chooses how
	means  meaning
	at     time.Time
	ruled  bool
	ruling ruling
}

const mostDossiers = 64

// open is the dossier of p. What was read of another digest does not count.
func (c *Card) open(p *model.Permission, digest string) *dossier {
	for i, d := range c.dossiers {
		if !d.about(p) {
			continue
		}
		if d.digest != digest {
			d.digest, d.read, d.disk = digest, nil, disk{}
		}
		copy(c.dossiers[i:], c.dossiers[i+1:])
		c.dossiers[len(c.dossiers)-1] = d
		return d
	}
	if len(c.dossiers) == mostDossiers {
		i := slices.IndexFunc(c.dossiers, func(d *dossier) bool { return d.sent == nil || d.sent.ruled })
		c.dossiers = slices.Delete(c.dossiers, max(i, 0), max(i, 0)+1)
	}
	d := &dossier{of: p.Proxy, request: p.Request, digest: digest}
	c.dossiers = append(c.dossiers, d)
	return d
}

// dossierOf is the dossier of p, if there is one.
func (c *Card) dossierOf(p *model.Permission) *dossier {
	for _, d := range c.dossiers {
		if d.about(p) {
			return d
		}
	}
	return nil
}

func (d *dossier) about(p *model.Permission) bool { return d.of == p.Proxy && d.request == p.Request }

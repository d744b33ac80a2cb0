package broker

// Held is how many bytes the broker believes to hold.
func (b *Broker) Held() int { return b.held }

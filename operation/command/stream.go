package command

// bounded keeps what is written to it up to limit bytes and notes whether
// there was more. It never fails, so that the writer is always drained.
type bounded struct {
	limit int
	kept  []byte
	over  bool
}

func (b *bounded) Write(p []byte) (int, error) {
	room := b.limit - len(b.kept)
	if len(p) > room {
		b.over = true
	}
	b.kept = append(b.kept, p[:min(len(p), room)]...)
	return len(p), nil
}

// counter counts what is written to it and keeps nothing.
type counter struct{ seen int64 }

func (c *counter) Write(p []byte) (int, error) {
	c.seen += int64(len(p))
	return len(p), nil
}

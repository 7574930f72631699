package engine

// Known is a card whose face one seat knows.
type Known struct {
	Slot Slot
	Face Face
}

// Knowledge is what one seat privately knows: faces of slots, nothing else. A dealer fills it: Deal and Give to
// the seat add, its own Remask replaces, a dead slot is dropped. A stale entry is harmless, slots are not reused.
type Knowledge []Known

// Face returns the face known for s, 0 when it is not known.
func (k Knowledge) Face(s Slot) Face {
	for _, c := range k {
		if c.Slot == s {
			return c.Face
		}
	}
	return 0
}

// Learn adds or replaces the face of s.
func (k *Knowledge) Learn(s Slot, f Face) {
	for i := range *k {
		if (*k)[i].Slot == s {
			(*k)[i].Face = f
			return
		}
	}
	*k = append(*k, Known{s, f})
}

// Forget drops s.
func (k *Knowledge) Forget(s Slot) {
	for i := range *k {
		if (*k)[i].Slot == s {
			*k = append((*k)[:i], (*k)[i+1:]...)
			return
		}
	}
}

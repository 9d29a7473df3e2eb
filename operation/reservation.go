package operation

import "github.com/git-algal/git-algal/internal/canon"

// ReservationContract names the reservation.
const ReservationContract = "algal.coding-operation-admission.v1"

// A Reservation ties an operation to the one job and request that it is for,
// in one store, for good (contract section 4).
type Reservation struct {
	JobID   canon.Digest
	Binding Binding
}

type reservationRecord struct {
	Contract string       `json:"contract"`
	JobID    canon.Digest `json:"jobId"`
	Binding
}

type reservationKey struct {
	AuthorityID Identity `json:"authorityId"`
	OperationID Identity `json:"operationId"`
}

// ParseReservation reads a reservation, or returns a fault.Malformed error.
func ParseReservation(text []byte) (Reservation, error) {
	wire, err := decode[reservationRecord](ReservationContract, text)
	if err != nil {
		return Reservation{}, err
	}
	if wire.Contract != ReservationContract {
		return Reservation{}, malformed("reservation has another contract than %q", ReservationContract)
	}
	r := Reservation{wire.JobID, wire.Binding}
	if err := r.Validate(); err != nil {
		return Reservation{}, err
	}
	return r, nil
}

// Validate returns a fault.Malformed error unless every member has its form.
func (r Reservation) Validate() error {
	if !r.JobID.Valid() {
		return malformed("member %q is no sha256 digest", "jobId")
	}
	return r.Binding.Validate()
}

// Format returns the canonical bytes, or a fault.Malformed error as Validate.
func (r Reservation) Format() ([]byte, error) {
	if err := r.Validate(); err != nil {
		return nil, err
	}
	return canon.Encode(reservationRecord{ReservationContract, r.JobID, r.Binding})
}

// Key returns [ReservationKey] of the reservation's binding.
func (r Reservation) Key() (canon.Digest, error) {
	return ReservationKey(r.Binding.AuthorityID, r.Binding.OperationID)
}

// ReservationKey returns the digest that names the reservation of an operation
// in a store. It is over the authority and the operation alone, so another job
// or request of the same operation meets the same file. It returns a
// fault.Malformed error for an identity of wrong form.
func ReservationKey(authority, operation Identity) (canon.Digest, error) {
	for _, identity := range []Identity{authority, operation} {
		if _, err := ParseIdentity(string(identity)); err != nil {
			return "", err
		}
	}
	key, _, err := canon.DigestOf(reservationKey{authority, operation})
	return key, err
}

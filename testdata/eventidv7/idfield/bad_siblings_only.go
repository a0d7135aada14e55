package idfield

import (
	"time"

	"github.com/google/uuid"
)

// CouponRedeemed is an event by its siblings alone.
type CouponRedeemed struct {
	ID         uuid.UUID `json:"id"`
	Type       string    `json:"type"`
	OccurredAt time.Time `json:"occurredAt"`
	Coupon     string    `json:"coupon"`
}

// RedeemCoupon returns the event to the caller.
func RedeemCoupon(coupon string) CouponRedeemed {
	return CouponRedeemed{ID: uuid.New(), Type: "coupon.redeemed", OccurredAt: time.Now(), Coupon: coupon} // want "R-KFK-IDEM-1"
}

package origin

import (
	"bufio"
	"encoding/json"
	"net/http"
	"os"
	"time"

	"github.com/google/uuid"
)

type gateOpened struct {
	EventID    string    `json:"eventId"`
	Type       string    `json:"type"`
	OccurredAt time.Time `json:"occurredAt"`
	Gate       string    `json:"gate"`
}

// idSource is injected; what it does cannot be seen.
type idSource interface{ NextID() string }

type gateKeeper struct {
	ids  idSource
	next func() string
	run  string
}

func (k *gateKeeper) injected(gate string) gateOpened {
	return gateOpened{EventID: k.ids.NextID(), Type: "gate.opened", OccurredAt: time.Now(), Gate: gate}
}

func (k *gateKeeper) function(gate string) gateOpened {
	return gateOpened{EventID: k.next(), Type: "gate.opened", OccurredAt: time.Now(), Gate: gate}
}

// configured takes the id of the environment: a replay tool sets it.
func (k *gateKeeper) configured(gate string) gateOpened {
	return gateOpened{EventID: os.Getenv("REPLAY_EVENT_ID"), Type: "gate.opened", OccurredAt: time.Now(), Gate: gate}
}

// fromRequest takes the id that the caller of the HTTP API chose.
func (k *gateKeeper) fromRequest(r *http.Request) (gateOpened, error) {
	id, err := uuid.Parse(r.Header.Get("X-Event-Id"))
	if err != nil {
		return gateOpened{}, err
	}
	return gateOpened{EventID: id.String(), Type: "gate.opened", OccurredAt: time.Now(), Gate: r.PathValue("gate")}, nil
}

// fromPayload passes on the id of another event.
func (k *gateKeeper) fromPayload(body []byte) (gateOpened, error) {
	var in struct {
		EventID string `json:"eventId"`
		Door    string `json:"door"`
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return gateOpened{}, err
	}
	return gateOpened{EventID: in.EventID, Type: "gate.opened", OccurredAt: time.Now(), Gate: in.Door}, nil
}

// fromFile reads the ids that an export wrote.
func (k *gateKeeper) fromFile(f *os.File) (out []gateOpened) {
	for sc := bufio.NewScanner(f); sc.Scan(); {
		out = append(out, gateOpened{EventID: uuid.MustParse(sc.Text()).String(), Type: "gate.opened"})
	}
	return out
}

// withRun: the run's id is random and stays in the keeper; the event's is not.
func (k *gateKeeper) withRun(id, gate string) gateOpened {
	k.run = uuid.NewString()
	return gateOpened{EventID: id, Type: "gate.opened", OccurredAt: time.Now(), Gate: gate}
}

package eventidpayload

// Doc is the rule's manual.
const Doc = `report event ids that travel in headers, or not in front (R-KFK-IDEM-1)

The event id is a part of the event: the first field of its payload. Headers are
lost by replays, mirrors, dead-letter tools and re-serialisation; the payload is
not. The rule has three parts, each of which can be switched off alone:

  - eventidpayload.key: a dedup gate takes its id from a record's header or
    metadata (watermill's msg.UUID travels as a header too);
  - eventidpayload.header: an event is published without an id in its payload,
    and with one in a header;
  - eventidpayload.first: the event id of a published payload is not its first
    field. An envelope that comes first and begins with it counts.

Bad:

	for _, h := range msg.Headers {
		if h.Key == "event_id" {
			id = string(h.Value)
		}
	}
	first, err := inbox.TryMarkProcessed(ctx, tx, id, group)

Good:

	var ev struct {
		EventID uuid.UUID ` + "`json:\"eventId\"`" + `
		OrderID string    ` + "`json:\"orderId\"`" + `
	}
	if err := json.Unmarshal(msg.Value, &ev); err != nil {
		return err
	}
	first, err := inbox.TryMarkProcessed(ctx, tx, ev.EventID, group)

CloudEvents' binary mode (ce_id) and Debezium's outbox router put the id into a
header by specification: the setting accept-header-ids accepts both.`

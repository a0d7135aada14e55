-- +goose Up
CREATE TABLE orders (id UUID PRIMARY KEY, state TEXT NOT NULL);

-- +goose Down
DROP TABLE orders;

-- An install of Slack's app is completed by the person who began it, in the browser that began it.
alter table private.slack_states
  add column challenge bytea check (octet_length(challenge) = 32),
  add column ticket_hash bytea unique check (octet_length(ticket_hash) = 32),
  add column code bytea,
  add column granted bytea;

// Owns the rows of a world's handovers: one per chat, the team's settings, and deliveries.
import type { Put } from "./putter.ts";
import type { World } from "./world.ts";

type ChatOwner = keyof World["handovers"];

export async function makeHandovers(put: Put, world: World) {
  for (const [owner, id] of Object.entries(world.handovers))
    await put("public.handovers", { id, ...handoverRow(world, owner as ChatOwner) });
  await put("private.handover_settings", { team_id: world.team, emails: "{}" });
  await put("private.handover_deliveries", deliveryRow(world));
}

export const handoverRow = (world: World, owner: ChatOwner) => ({
  team_id: world.team,
  chat_id: world.chats[owner],
  email: `left-${world.mark}@matrix.test`,
  consent_version: "1",
});

/** Not due while the matrix runs. */
export const deliveryRow = (world: World) => ({
  team_id: world.team,
  handover_id: world.handovers.visitor,
  kind: "teamMail",
  email: world.email("owner"),
  run_after: "2999-01-01T00:00:00Z",
});

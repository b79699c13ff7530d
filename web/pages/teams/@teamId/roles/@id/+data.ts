// One role.
import type { DataContext } from "#web/render/page-definition.ts";
import type { Role } from "#web/request/api-types.ts";

export interface RoleData {
  role: Role;
}

export async function data({ request, routeParams }: DataContext): Promise<RoleData> {
  return { role: await request.api.get("/v1/roles/{id}", { id: routeParams.id ?? "" }) };
}

// The permissions that a role has and lacks.
import { Check, Minus } from "lucide-react";
import { useTranslation } from "#translations";
import { permissionGroups } from "./permission-groups.ts";

export function PermissionList({ permissions }: { permissions: string[] }) {
  const { t } = useTranslation("roles");
  return (
    <div className="grid gap-x-8 gap-y-5 text-sm sm:grid-cols-2">
      {permissionGroups.map(([group, names]) => (
        <div key={group}>
          <h3 className="mb-1.5 font-medium">{t(`group.${group}`)}</h3>
          <ul className="space-y-1">
            {names.map((name) => {
              const has = permissions.includes(name);
              const Icon = has ? Check : Minus;
              return (
                <li key={name} className={`flex items-start gap-2 ${has ? "" : "text-faint"}`}>
                  <Icon aria-hidden className={`mt-0.5 size-4 shrink-0 ${has ? "text-good" : ""}`} />
                  <span>
                    <span className="sr-only">{t(has ? "may" : "mayNot")}: </span>
                    {t(`permission.${name}`)}
                  </span>
                </li>
              );
            })}
          </ul>
        </div>
      ))}
    </div>
  );
}

// Scene: rows, pagination, figures and menus.
import { Bot, MoreHorizontal } from "lucide-react";
import { Chart } from "../../ui/charts/Chart.tsx";
import { DataTable } from "../../ui/DataTable.tsx";
import { Menu } from "../../ui/Menu.tsx";
import { MenuItem } from "../../ui/MenuItem.tsx";
import { Pagination } from "../../ui/Pagination.tsx";
import { SearchForm } from "../../ui/SearchForm.tsx";
import { Status } from "../../ui/Status.tsx";
import { textFor } from "../texts.ts";
import { type SceneData, Shown } from "./Shown.tsx";

export function Frames({ isLong }: SceneData) {
  const words = (name: string, at = 0) => textFor(name, at, isLong);
  const rows = [0, 1, 2, 3].map((at) => ({ at, name: words("name", at), owner: words("username", at) }));
  return (
    <>
      <Shown name="Rows">
        <SearchForm label={words("name")} />
        <DataTable
          caption="Rows"
          rows={rows}
          rowKey={({ at }) => String(at)}
          columns={[
            {
              key: "name",
              header: "Name",
              sort: { href: "?sort=name", direction: "asc" },
              cell: ({ name }) => (
                <a href="/gallery" className="block truncate font-medium">
                  {name}
                </a>
              ),
            },
            { key: "owner", header: "Owner", cell: ({ owner }) => owner },
            { key: "status", header: "Status", cell: () => <Status value="ready" /> },
            { key: "count", header: "Count", align: "right", minor: true, cell: ({ at }) => 1_284_517 + at },
          ]}
        />
        <Pagination page={3} perPage={20} total={isLong ? 1_284_517 : 187} />
      </Shown>
      <Shown name="Figures">
        <Chart
          title={words("title")}
          summary={words("description")}
          across="Day"
          labels={["Mon", "Tue", "Wed", "Thu", "Fri"]}
          series={[{ label: words("name"), values: [3, 9, 4, 12, 7] }]}
          format={String}
        />
      </Shown>
      <Shown name="Menu">
        <Menu
          label="More"
          trigger={<MoreHorizontal aria-hidden className="size-4" />}
          triggerClass="icon-button"
        >
          <MenuItem href="/gallery" icon={<Bot aria-hidden />} current>
            {words("name")}
          </MenuItem>
          <MenuItem href="/gallery">{words("name", 1)}</MenuItem>
        </Menu>
      </Shown>
    </>
  );
}

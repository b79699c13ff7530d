// The dialog that asks where to put dropped or chosen files: the team's knowledge bases and file sources. Loaded with
// the first such file.
import { type ReactNode, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { createRoot, type Root } from "react-dom/client";
import type { DocumentLanguage } from "#locales/registry.ts";
import { useTranslation } from "#translations";
import { SearchSelect } from "../../islands/SearchSelect.tsx";
import { UploadList } from "../../pages/teams/@teamId/files/UploadList.tsx";
import type { Places } from "../../render/places.ts";
import { Button } from "../../ui/Button.tsx";
import { dialogLook } from "../../ui/looks.ts";
import { Select } from "../../ui/Select.tsx";
import { CallFailure, getApi, sendApi, sendOnce } from "../call-api.ts";
import { knowledgeName } from "../knowledge-name.ts";
import { useUploads } from "../use-uploads.ts";
import { toast } from "./toasts.ts";
import { addWords } from "./translations.ts";

type Team = NonNullable<Places["team"]>;

/**
 * Adds uploaded files to their destination, one after another, because each request changes the resource that the next
 * one edits.
 */
class Destination {
  readonly #team: Team;
  readonly #names: { knowledge: string };
  readonly #language: DocumentLanguage;
  #kind: string;
  #id: string;
  #last: Promise<unknown> = Promise.resolve();

  /**
   * @param place `knowledge:ID`, `source:ID`, `new:` or `files:`
   * @param language of a new knowledge base
   */
  constructor(team: Team, place: string, names: { knowledge: string }, language: DocumentLanguage) {
    const [kind = "", id = ""] = place.split(":");
    this.#team = team;
    this.#kind = kind;
    this.#id = id;
    this.#names = names;
    this.#language = language;
  }

  /** Address of the page that shows the result. */
  get href(): string {
    const below =
      { knowledge: `knowledges/${this.#id}`, source: `sources/${this.#id}` }[this.#kind] ?? "files";
    return `/teams/${this.#team.codename}/${below}`;
  }

  add(fileId: string): Promise<void> {
    const added = this.#last.then(() => this.#put(fileId));
    this.#last = added.catch(() => undefined);
    return added;
  }

  async #put(fileId: string): Promise<void> {
    const { id: teamId } = this.#team;
    const fileIds = [fileId];
    if (this.#kind === "new") {
      const values = {
        name: this.#names.knowledge,
        language: this.#language,
        fileIds,
      } as const;
      const { id } = await sendOnce("/v1/teams/{teamId}/knowledges", { teamId }, values);
      this.#kind = "knowledge";
      this.#id = id;
    } else if (this.#kind === "knowledge") {
      await sendApi("PUT", "/v1/teams/{teamId}/knowledges/{id}", { teamId, id: this.#id }, { fileIds });
    } else if (this.#kind === "source") {
      await this.#putInSource(fileId);
    }
  }

  /** Reads the list again when somebody else has changed it meanwhile: it is written as a whole. */
  async #putInSource(fileId: string, tries = 5): Promise<void> {
    const at = { teamId: this.#team.id, id: this.#id };
    const { config, version } = await getApi("/v1/teams/{teamId}/sources/{id}", at);
    const known = "fileIds" in config && Array.isArray(config.fileIds) ? config.fileIds : [];
    const changed = { config: { ...config, fileIds: [...known, fileId] } };
    try {
      await sendApi("PUT", "/v1/teams/{teamId}/sources/{id}", at, changed, version);
    } catch (error) {
      const isChanged = error instanceof CallFailure && error.code === "CHANGED_MEANWHILE";
      if (!isChanged || tries === 1) throw error;
      await this.#putInSource(fileId, tries - 1);
    }
  }
}

type Kind = "knowledge" | "source";
/** A destination: `knowledge:ID`, `source:ID`, `new:` or `files:`, and its name. */
interface Place {
  value: string;
  name: string;
}
const placeIn = (kind: Kind, id: string, name: string): Place => ({ value: `${kind}:${id}`, name });

interface PlaceDialogProps {
  files: File[];
  places: Places;
  team: Team;
  onClose: () => void;
}

function PlaceDialog({ files, places: { knowledges, sources, language }, team, onClose }: PlaceDialogProps) {
  const { t } = useTranslation("files");
  // A team's first knowledge base is named after the team, a further one after its first file.
  const newName = knowledges?.options.length === 0 ? team.name : knowledgeName(files[0]?.name ?? team.name);
  const kinds = {
    knowledge: (knowledges?.options ?? []).map((one) => placeIn("knowledge", one.value, one.label)),
    source: sources.options.map((one) => placeIn("source", one.value, one.label)),
  };
  const others = [
    ...(knowledges ? [{ value: "new:", name: newName }] : []),
    { value: "files:", name: t("title") },
  ];
  const choices = [...kinds.knowledge, ...kinds.source, ...others];
  const here = choices.find(({ value }) => {
    const [, id] = value.split(":");
    return id && location.pathname.includes(id);
  });
  const [place, setPlace] = useState(here ?? choices[0]);
  const destination = useRef<Destination | null>(null);
  const [sent, setSent] = useState(0);
  const { uploads, busy, add, list } = useUploads(team.id, async ({ id }) => {
    await destination.current?.add(id);
    setSent((count) => count + 1);
  });

  const { value = "files:", name = "" } = place ?? {};
  const isPartial = knowledges?.isPartial || sources.isPartial;
  const isDone = destination.current !== null && sent > 0 && uploads.length === 0;
  useEffect(() => {
    if (!isDone || !destination.current) return;
    toast({ title: t("place.done", { count: sent, name }) });
    dispatchEvent(new CustomEvent("parley:visit", { detail: destination.current.href }));
    onClose();
  }, [isDone, sent, name, onClose, t]);

  // An upload in progress exists nowhere else yet, so the dialog cannot be dismissed until it ends.
  useEffect(() => dialog?.setAttribute("closedby", busy ? "none" : "closerequest"), [busy]);

  function begin() {
    destination.current = new Destination(team, value, { knowledge: newName }, language);
    add(files);
  }

  const option = ({ value, name: label }: { value: string; name: string }) => (
    <option key={value} value={value}>
      {value === "new:"
        ? t("place.newKnowledge", { name: label })
        : value === "files:"
          ? t("place.filesOnly")
          : label}
    </option>
  );
  const begun = destination.current !== null;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        event.stopPropagation();
        begin();
      }}
    >
      <h2 id="place-title" className="font-semibold text-lg">
        {t("place.title", { count: files.length })}
      </h2>
      {begun ? (
        <UploadList {...list} />
      ) : (
        <>
          <ul className="mt-3 max-h-32 overflow-y-auto text-muted text-sm">
            {files.map((file) => (
              <li key={`${file.name}-${file.lastModified}-${file.size}`} className="truncate">
                {file.name}
              </li>
            ))}
          </ul>
          <label htmlFor="place-choice" className="mt-4 mb-1 block font-medium text-sm">
            {t("place.label")}
          </label>
          {isPartial ? (
            <SearchedPlace {...{ kinds, others, place, setPlace, teamId: team.id }}>
              {others.map(option)}
            </SearchedPlace>
          ) : (
            <Select
              id="place-choice"
              value={value}
              onChange={({ target }) => setPlace(choices.find((one) => one.value === target.value))}
            >
              {kinds.knowledge.length > 0 && (
                <optgroup label={t("place.knowledges")}>{kinds.knowledge.map(option)}</optgroup>
              )}
              {kinds.source.length > 0 && (
                <optgroup label={t("place.sources")}>{kinds.source.map(option)}</optgroup>
              )}
              {others.map(option)}
            </Select>
          )}
        </>
      )}
      <div className="mt-5 flex justify-end gap-2">
        <Button type="button" disabled={busy} onClick={onClose}>
          {begun ? t("place.close") : t("place.cancel")}
        </Button>
        {!begun && <Button variant="primary">{t("place.add", { count: files.length })}</Button>}
      </div>
    </form>
  );
}

interface SearchedPlaceProps {
  teamId: string;
  kinds: Record<Kind, Place[]>;
  others: Place[];
  place: Place | undefined;
  setPlace(place: Place | undefined): void;
  /** The options for the places that are no list. */
  children: ReactNode;
}

/** The choice of a place in two steps, where a list is too long for one: its kind, then the place by name. */
function SearchedPlace({ teamId, kinds, others, place, setPlace, children }: SearchedPlaceProps) {
  const { t } = useTranslation("files");
  const [kind, id = ""] = place?.value.split(":") ?? [];
  const listed = kind === "knowledge" || kind === "source" ? kind : undefined;
  return (
    <div className="space-y-3">
      <Select
        id="place-choice"
        value={listed ?? place?.value}
        onChange={({ target: { value } }) =>
          setPlace(
            value === "knowledge" || value === "source"
              ? kinds[value][0]
              : others.find((other) => other.value === value),
          )
        }
      >
        {kinds.knowledge.length > 0 && <option value="knowledge">{t("place.knowledges")}</option>}
        {kinds.source.length > 0 && <option value="source">{t("place.sources")}</option>}
        {children}
      </Select>
      {listed && (
        <SearchSelect
          key={listed}
          id="place-name"
          name="place"
          label={t(`place.${listed}s`)}
          list={listed === "knowledge" ? "knowledges" : "fileSources"}
          teamId={teamId}
          options={kinds[listed].map((one) => ({
            value: one.value.slice(listed.length + 1),
            label: one.name,
          }))}
          value={id}
          onChoose={(chosen, label) => setPlace(placeIn(listed, chosen, label))}
          inFlow
        />
      )}
    </div>
  );
}

let dialog: HTMLDialogElement | undefined;
let root: Root | undefined;

/** Offers destinations for files. There is one dialog: another drop is ignored until it is closed, so an upload continues. */
export async function offerPlace(files: File[]): Promise<void> {
  if (files.length === 0 || dialog?.open) return;
  const answer = await fetch(`/places.json?${new URLSearchParams({ path: location.pathname })}`);
  if (!answer.ok) throw new Error(`The places answered ${answer.status}`);
  const places = (await answer.json()) as Places;
  addWords(places.words);
  const { team } = places;
  if (!team) {
    const key = places.isKnown ? "notAllowed" : "nobody";
    const words = places.words.files?.place as Record<string, string> | undefined;
    toast({ title: words?.[key] ?? "", description: words?.[`${key}Text`], variant: "destructive" });
    return;
  }
  if (!dialog) {
    dialog = document.createElement("dialog");
    dialog.className = dialogLook;
    dialog.setAttribute("aria-labelledby", "place-title");
    dialog.addEventListener("close", () => root?.render(null));
    // For browsers without closedby: Escape must not close it during an upload.
    dialog.addEventListener("cancel", (event) => {
      if (dialog?.getAttribute("closedby") === "none") event.preventDefault();
    });
    root = createRoot(dialog);
  }
  const element = dialog;
  document.body.append(element);
  flushSync(() =>
    root?.render(<PlaceDialog files={files} places={places} team={team} onClose={() => element.close()} />),
  );
  element.showModal();
}

/** Opens the file picker, and offers destinations for the chosen files. */
export function chooseFiles(): void {
  const input = Object.assign(document.createElement("input"), { type: "file", multiple: true });
  input.addEventListener("change", () => void offerPlace([...(input.files ?? [])]));
  input.click();
}

// Uploads files to the team one by one, with progress. XMLHttpRequest, because fetch does not report upload progress.
import { addressOf } from "./api-calls.ts";
import { CallFailure, failureOf, getApi, pageHeaders } from "./call-api.ts";

export interface UploadedFile {
  id: string;
  name: string;
}

/**
 * Uploads one file, as a newer version of the file `replaced` when given. `onProgress` receives a share from 0 to 1.
 * @throws CallFailure whose text names the file
 */
export async function uploadFile(
  teamId: string,
  file: File,
  onProgress: (share: number) => void,
  signal: AbortSignal,
  replaced?: string,
): Promise<UploadedFile> {
  const form = new FormData();
  form.append("file", file, file.name);
  const path = replaced
    ? addressOf("/v1/teams/{teamId}/files/{id}/content", { teamId, id: replaced })
    : addressOf("/v1/teams/{teamId}/files/upload", { teamId });
  const body = await send(path, form, { method: replaced ? "PUT" : "POST", onProgress, signal });
  return { id: String(body.id), name: String(body.name) };
}

/** The id of the team's newest file of a name, among those that the reader can see. */
export async function findFileNamed(teamId: string, name: string): Promise<string | undefined> {
  const found = await getApi("/v1/teams/{teamId}/files", { teamId, name: name.slice(0, 200), perPage: 100 });
  return found.data.find((file) => file.name === name)?.id;
}

/**
 * Uploads a team's archive; `onProgress` as above.
 * @returns the slug of the imported team
 * @throws CallFailure
 */
export async function uploadArchive(
  archive: File,
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<string> {
  const bytes = new Blob([archive], { type: "application/zip" });
  const body = await send(addressOf("/v1/teams/import", {}), bytes, { onProgress, signal });
  return String(body.codename);
}

function send(
  path: string,
  body: FormData | Blob,
  {
    method = "POST",
    onProgress,
    signal,
  }: { method?: "POST" | "PUT"; onProgress: (share: number) => void; signal: AbortSignal },
): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.responseType = "json";
    request.open(method, path);
    for (const [name, value] of pageHeaders()) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onload = () => {
      const answer = request.response as Record<string, unknown> | null;
      if (request.status < 300 && answer) return resolve(answer);
      reject(failureOf(request.status, answer, (name) => request.getResponseHeader(name)));
    };
    request.onerror = () => reject(new CallFailure(0, "UNAVAILABLE", "", ""));
    request.onabort = () => reject(new DOMException("The upload was stopped.", "AbortError"));
    signal.addEventListener("abort", () => request.abort(), { once: true });
    request.send(body);
  });
}

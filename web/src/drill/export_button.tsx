// The trace on screen, all ranks, as a file, or handed to Perfetto in a tab of its own.
import { useState } from 'preact/hooks';
import { exportTrace, type Client } from '../client/client';
import { adviceFor, browserHost, openInPerfetto } from './perfetto';

interface Props {
  readonly client: Client;
  readonly drill: string;
  /** A toolbar has room for few words; the names for those who hear them are the same. */
  readonly isShort?: boolean;
}

type Progress = 'ready' | 'working' | 'failed';

export function ExportButton({ client, drill, isShort = false }: Props) {
  const [saving, setSaving] = useState<Progress>('ready');
  const [opening, setOpening] = useState<Progress>('ready');
  const [note, setNote] = useState('');
  const [advice, setAdvice] = useState('');

  const save = async () => {
    setSaving('working');
    try {
      const file = await exportTrace(client, drill);
      download(new Blob([file.bytes as BlobPart], { type: file.media_type }), file.file_name);
      setSaving('ready');
      setNote(`${file.file_name} saved`);
      setAdvice('');
    } catch (error) {
      setSaving('failed');
      setNote(`Not exported: ${reasonOf(error)}`);
    }
  };
  const open = async () => {
    setOpening('working');
    setAdvice('');
    const file = exportTrace(client, drill).then(({ bytes, file_name }) => ({
      bytes: bytes.slice().buffer,
      fileName: file_name,
    }));
    // The tab must open in the click; a failed export is found later and told then.
    file.catch(() => undefined);
    try {
      const done = await openInPerfetto(browserHost(), file, drill);
      setOpening(done.ok ? 'ready' : 'failed');
      setNote(done.ok ? 'Handed to ui.perfetto.dev' : '');
      if (!done.ok) setAdvice(adviceFor(done.why));
    } catch (error) {
      setOpening('failed');
      setAdvice(`Not exported: ${reasonOf(error)}`);
    }
  };
  return (
    <>
      <button
        type="button"
        class="btn ghost"
        aria-disabled={opening === 'working'}
        title="Opens ui.perfetto.dev in a tab and hands it this trace; nothing goes to a server"
        onClick={() => opening !== 'working' && void open()}
      >
        {opening === 'working' ? 'Waiting for Perfetto\u2026' : 'Open in Perfetto'}
      </button>
      <button
        type="button"
        class="btn ghost"
        aria-disabled={saving === 'working'}
        aria-label="Export to Perfetto (.json)"
        title={note === '' ? 'Kineto-style JSON of all ranks; drop it into ui.perfetto.dev' : note}
        onClick={() => saving !== 'working' && void save()}
      >
        {saving === 'working'
          ? 'Exporting\u2026'
          : saving === 'failed'
            ? 'Export failed; again?'
            : isShort
              ? 'Export'
              : 'Export to Perfetto (.json)'}
      </button>
      {advice !== '' && (
        <span class="export-advice" role="alert">
          {advice}{' '}
          <button type="button" class="link" onClick={() => setAdvice('')}>
            Close
          </button>
        </span>
      )}
      <span class="visually-hidden" role="status">
        {note}
      </span>
    </>
  );
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : 'no reason given';
}

function download(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

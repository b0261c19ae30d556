// Export to Perfetto (.json): the trace on screen, all ranks, as a file.
import { useState } from 'preact/hooks';
import { exportTrace, type Client } from '../client/client';

type Progress = 'ready' | 'working' | 'failed';

export function ExportButton({ client, drill }: { readonly client: Client; readonly drill: string }) {
  const [progress, setProgress] = useState<Progress>('ready');
  const [note, setNote] = useState('');
  const save = async () => {
    setProgress('working');
    try {
      const file = await exportTrace(client, drill);
      download(new Blob([file.bytes as BlobPart], { type: file.media_type }), file.file_name);
      setProgress('ready');
      setNote(`${file.file_name} saved`);
    } catch (error) {
      setProgress('failed');
      setNote(`Not exported: ${error instanceof Error ? error.message : 'no reason given'}`);
    }
  };
  return (
    <>
      <button
        type="button"
        class="btn ghost"
        aria-disabled={progress === 'working'}
        title={note === '' ? 'Kineto-style JSON of all ranks; drop it into ui.perfetto.dev' : note}
        onClick={() => progress !== 'working' && void save()}
      >
        {progress === 'working'
          ? 'Exporting\u2026'
          : progress === 'failed'
            ? 'Export failed; again?'
            : 'Export to Perfetto (.json)'}
      </button>
      <span class="visually-hidden" role="status">
        {note}
      </span>
    </>
  );
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

// All keys, in one overlay.
import { useEffect, useRef } from 'preact/hooks';

const kGroups: readonly { readonly title: string; readonly keys: readonly (readonly [string, string])[] }[] =
  [
    {
      title: 'Timeline',
      keys: [
        ['W S', 'zoom at the cursor'],
        ['A D', 'pan'],
        ['M', 'mark the slice'],
        ['F', 'fit the selection'],
        [', .', 'previous, next slice on the row'],
        ['[ ]', 'along the flow, launch to kernel'],
        ['G', 'next gap of the GPU row'],
        ['C', 'a cursor at the pointer; two measure a distance'],
        ['T', 'pin the focused row, or let it go'],
        ['U', 'unfold or fold the host rows'],
        ['/', 'find a name'],
      ],
    },
    {
      title: 'Answer',
      keys: [
        ['Enter', 'open the commit form'],
        ['1 \u2013 7', 'go to a part'],
        ['a \u2013 z', 'choose in a list'],
        ['Tab', 'next part'],
        ['P', 'the selection is the place'],
        ['Ctrl Enter', 'commit'],
        ['Esc', 'back to the timeline, entries kept'],
      ],
    },
    {
      title: 'Drill',
      keys: [
        ['R', 'reveal, once committed'],
        ['N', 'next trace, from home or after the reveal'],
        ['?', 'all keys'],
      ],
    },
    {
      title: 'Mental math',
      keys: [
        ['Enter', 'answer; on an empty line, show the working'],
        ['N', 'next sum, once answered'],
      ],
    },
  ];

export function Help({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  return (
    <dialog
      ref={dialog}
      class="help"
      aria-labelledby="help-title"
      onClose={onClose}
      onClick={(event) => event.target === event.currentTarget && onClose()}
    >
      <div class="help-body">
        <header>
          <h2 id="help-title">Keys</h2>
          <small>single letters act outside text fields only</small>
          <span class="grow" />
          <button type="button" class="btn" onClick={onClose}>
            Close <kbd>Esc</kbd>
          </button>
        </header>
        <div class="help-groups">
          {kGroups.map((group) => (
            <section key={group.title}>
              <h3>{group.title}</h3>
              <dl>
                {group.keys.map(([keys, does]) => (
                  <div key={keys}>
                    <dt>
                      {keys
                        .split(' ')
                        .map((key) =>
                          key === '\u2013' ? <span key={key}>{key}</span> : <kbd key={key}>{key}</kbd>,
                        )}
                    </dt>
                    <dd>{does}</dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
        </div>
      </div>
    </dialog>
  );
}

import { useEffect, useState } from 'preact/hooks';

const kPhone = '(max-width: 699px)';

// True below 700 px, where the side panel is a sheet at the bottom.
export function usePhone(): boolean {
  const [isPhone, setPhone] = useState(() => matchMedia(kPhone).matches);
  useEffect(() => {
    const media = matchMedia(kPhone);
    const onChange = () => setPhone(media.matches);
    media.addEventListener('change', onChange);
    return () => media.removeEventListener('change', onChange);
  }, []);
  return isPhone;
}

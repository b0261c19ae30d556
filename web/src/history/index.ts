export { HistoryPage } from './history_page';

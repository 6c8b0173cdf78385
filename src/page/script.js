// Shows the changes that have all words of the filter, and counts them.
const items = [...document.querySelectorAll('[data-item]')];
const texts = items.map((item) => item.textContent.toLowerCase());
const input = document.querySelector('#filter');
const counted = document.querySelector('#count');

function filter() {
  const words = input.value.toLowerCase().split(/\s+/);
  const shown = texts.map((text) => words.every((word) => text.includes(word)));
  items.forEach((item, at) => {
    item.hidden = !shown[at];
  });
  counted.textContent = `${shown.filter(Boolean).length} of ${items.length}`;
}

if (items.length > 0) {
  input.parentElement.hidden = false;
  input.addEventListener('input', filter);
  filter();
}

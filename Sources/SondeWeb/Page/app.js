const view = {};
const source = new EventSource("/events");
source.addEventListener("view", (event) => {
  Object.assign(view, JSON.parse(event.data));
  document.getElementById("agent").textContent = view.agent.text;
  document.getElementById("view").textContent = JSON.stringify(view, null, 1);
});

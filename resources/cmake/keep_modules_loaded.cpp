// Only in builds with sanitizers: graphics drivers are loaded and unloaded at run time, and what
// they leak could not be told from our own leaks once they are gone. So they stay.
extern "C" int dlclose(void* /*handle*/) { return 0; }

// Says what it may do: write where it stands and in its own folder, read, and
// reach a network.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

__global__ void nothing() {}

static const char *mayWrite(const std::string &Folder) {
  const std::string Path = Folder + "/stays-in.out";
  FILE *File = std::fopen(Path.c_str(), "w");
  if (!File)
    return "no";
  std::fclose(File);
  std::remove(Path.c_str());
  return "yes";
}

/// The interfaces of the network that are not the loopback.
static int numInterfaces() {
  FILE *File = std::fopen("/proc/self/net/dev", "r");
  int Number = 0;
  for (char Line[512]; File && std::fgets(Line, sizeof(Line), File);)
    Number += std::strchr(Line, ':') && !std::strstr(Line, "lo:");
  return Number;
}

int main(int Count, char **Words) {
  nothing<<<1, 32>>>();
  cudaDeviceSynchronize();
  printf("writes here %s, in its folder %s, interfaces %d\n",
         mayWrite(Words[1]), mayWrite(std::getenv("TMPDIR")), numInterfaces());
  fflush(stdout);
  if (Count > 2)
    std::abort();
}

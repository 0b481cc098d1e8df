/* Loaded before PostgreSQL: every fsync and fdatasync takes KALOS_FSYNC_MS milliseconds longer, as on a slower disk. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <time.h>

static int later(const char *name, int file)
{
    int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
    int answer = real(file);
    int kept = errno;
    const char *text = getenv("KALOS_FSYNC_MS");
    long milliseconds = text ? atol(text) : 0;
    struct timespec rest = {milliseconds / 1000, milliseconds % 1000 * 1000000};
    while (nanosleep(&rest, &rest) != 0 && errno == EINTR) {
    }
    errno = kept;
    return answer;
}

int fsync(int file) { return later("fsync", file); }
int fdatasync(int file) { return later("fdatasync", file); }

/* A guest for any game of Fairhaven that chooses at random, in C99 and without a JSON library: it looks for the few
 * fields that it needs, and counts the entries of the legal list.
 *
 *     cc -std=c99 -O2 -o bot bot.c
 *     fairhaven simulate base --agents "exec:./bot,random,random,random" --matches 400
 *
 * The messages are described in docs/protocol.md. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Streams of random numbers of the matches that are open, by the number of the match. Numbers of matches that are open
 * together lie close to each other, so that no two of them share a place. */
#define OPEN (1 << 20)
static unsigned long long streams[OPEN];

/* Reads a line of any length; 0 at the end of the input. */
static int read_line(char **line, size_t *room)
{
    size_t length = 0;
    for (;;) {
        if (*room - length < 2) {
            *room = *room ? 2 * *room : 4096;
            *line = realloc(*line, *room);
            if (!*line)
                exit(1);
        }
        if (!fgets(*line + length, (int)(*room - length), stdin))
            return length > 0;
        length += strlen(*line + length);
        if (length > 0 && (*line)[length - 1] == '\n')
            return 1;
    }
}

/* What stands after a field's name. The fields that are looked for stand before any text that could look like one. */
static const char *after(const char *line, const char *name)
{
    const char *at = strstr(line, name);
    return at ? at + strlen(name) : "";
}

/* How many objects a list has, from its opening bracket on. */
static unsigned entries(const char *list)
{
    unsigned count = 0;
    int depth = 0;
    for (; *list; list++) {
        if (*list == '{' && depth == 1)
            count++;
        depth += (*list == '{' || *list == '[') - (*list == '}' || *list == ']');
        if (depth == 0)
            break;
    }
    return count;
}

/* A random number below a bound: a linear congruential generator, of which the upper bits are used. */
static unsigned below(unsigned long long *state, unsigned bound)
{
    *state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (unsigned)(*state >> 33) % bound;
}

int main(void)
{
    char *line = NULL;
    size_t room = 0;
    while (read_line(&line, &room)) {
        unsigned long long number = strtoull(after(line, "\"match\":"), NULL, 10);
        unsigned long long *stream = &streams[number % OPEN];
        if (strstr(line, "\"type\":\"hello\"")) {
            puts("{\"type\":\"ready\",\"protocol\":1,\"name\":\"bot.c\",\"list\":\"no_offers\",\"matches\":32}");
            fflush(stdout); /* A line that waits in a buffer is never read. */
        } else if (strstr(line, "\"type\":\"match\"")) {
            /* The first 16 of 32 digits. All luck comes from the seed, so that the match can be played again. */
            char half[17] = "";
            strncpy(half, after(line, "\"seed\":\""), 16);
            *stream = strtoull(half, NULL, 16);
        } else if (strstr(line, "\"type\":\"decide\"")) {
            unsigned long long id = strtoull(after(line, "\"id\":"), NULL, 10);
            unsigned count = entries(after(line, "\"legal\":"));
            printf("{\"type\":\"choose\",\"id\":%llu,\"index\":%u}\n", id, count ? below(stream, count) : 0);
        } else if (strstr(line, "\"type\":\"go\"")) {
            fflush(stdout); /* All questions of the matches that wait have been asked. */
        } else if (strstr(line, "\"type\":\"bye\"")) {
            break;
        }
    }
    free(line);
    return 0;
}

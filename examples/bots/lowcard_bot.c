/* A UHI bot in C11 that plays, and takes, the card with the lowest number.
 *   cc -std=c11 -O2 -o lowcard_bot lowcard_bot.c
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 65536 + 1, MOVE = 128 }; /* the longest line, and its final zero */

static char line[LINE];
static char best[MOVE];

static void say(const char *text)
{
    puts(text);
    fflush(stdout); /* a pipe is buffered: without this the referee waits for ever */
}

/* The number at the end of a move: play:17 gives 17, a move without one the most. */
static long card(const char *move)
{
    const char *colon = strrchr(move, ':');
    char *end = NULL;
    long number = colon ? strtol(colon + 1, &end, 10) : LONG_MAX;
    return end == NULL || *end != '\0' ? LONG_MAX : number;
}

/* Reads the rest of a `legal` line and keeps the move with the lowest card. */
static void choose(void)
{
    best[0] = '\0';
    for (const char *move = strtok(NULL, " "); move != NULL; move = strtok(NULL, " "))
        if (best[0] == '\0' || card(move) < card(best))
            snprintf(best, sizeof best, "%s", move);
}

int main(void)
{
    while (fgets(line, sizeof line, stdin) != NULL) {
        line[strcspn(line, "\r\n")] = '\0';
        const char *command = strtok(line, " ");
        if (command == NULL)
            continue;
        if (strcmp(command, "uhi") == 0) {
            say("id name lowcard");
            say("game shikoku players 3 8");
            say("uhiok");
        } else if (strcmp(command, "isready") == 0) {
            say("readyok");
        } else if (strcmp(command, "legal") == 0) {
            choose();
        } else if (strcmp(command, "go") == 0) {
            printf("bestmove %s\n", best);
            fflush(stdout);
        } else if (strcmp(command, "quit") == 0) {
            return 0;
        }
    }
    return 0;
}

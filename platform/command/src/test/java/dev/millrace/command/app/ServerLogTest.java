package dev.millrace.command.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ServerLogTest
{
    @TempDir
    private Path folder;

    private final List<String> seen = new ArrayList<>();

    private void append(final String text) throws IOException
    {
        Files.writeString(folder.resolve("server.log"), text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private void rotate() throws IOException
    {
        if (Files.exists(folder.resolve("server.1.log")))
        {
            Files.move(folder.resolve("server.1.log"), folder.resolve("server.2.log"));
        }
        Files.move(folder.resolve("server.log"), folder.resolve("server.1.log"));
    }

    @Test
    void shouldReadRotatedFilesFromTheOldestOn() throws Exception
    {
        append("a\n");
        rotate();
        append("b\n");
        rotate();
        append("c\n");
        try (ServerLog log = new ServerLog(folder))
        {
            log.readOlder(seen::add);
            log.readNew(seen::add);
        }
        assertThat(seen).containsExactly("a", "b", "c");
    }

    @Test
    void shouldFollowTheFileThroughRotationsAndCompleteLinesOnly() throws Exception
    {
        append("one\ntw");
        try (ServerLog log = new ServerLog(folder))
        {
            log.readNew(seen::add);
            assertThat(seen).containsExactly("one");
            append("o \u20ac\n");
            log.readNew(seen::add);
            assertThat(seen).containsExactly("one", "two \u20ac");
            append("before\n");
            rotate();
            append("after\n");
            log.readNew(seen::add);
            append("more\n");
            log.readNew(seen::add);
            rotate();
            log.readNew(seen::add);
            append("x\n");
            log.readNew(seen::add);
        }
        assertThat(seen).containsExactly("one", "two \u20ac", "before", "after", "more", "x");
    }

    @Test
    void shouldWaitForALogThatIsNotThereYet() throws Exception
    {
        try (ServerLog log = new ServerLog(folder))
        {
            log.readNew(seen::add);
            append("first\n");
            log.readNew(seen::add);
        }
        assertThat(seen).containsExactly("first");
    }

    @Test
    void shouldTellTheLinesOfAnApplicationApart()
    {
        final String time = "2026-11-23 22:10:35.123 INFO  ";
        final List<String> own = List.of(
            time + "[my.app/feed] com.acme.Feed - connected", "java.io.IOException: gone",
            "\tat com.acme.Feed.run(Feed.java:5)", time + "[millrace-app-my.app] d.m.s.E - application my.app RUNNING",
            time + "[millrace-default-2] d.m.N - application installed, name=my.app version=1.0.0",
            time + "[w] d.m.n - rows rejected, stage=my.app/out rows=4",
            time + "[w] d.m.n - it is about my.app. And nothing else");
        final List<String> others = List.of(time + "[my.app.two/feed] com.acme.Feed - connected",
            time + "[not.my.app/feed] com.acme.Feed - connected", "\tat com.acme.Feed.run(Feed.java:5)",
            time + "[x] d.m - application my.app-two RUNNING", time + "[main] d.m - server RUNNING");
        final ApplicationLogFilter filter = new ApplicationLogFilter("my.app");
        for (int i = 0; i < own.size(); i++)
        {
            assertThat(filter.accepts(own.get(i))).as(own.get(i)).isTrue();
            if (i >= 2)
            {
                others.forEach(line -> assertThat(filter.accepts(line)).as(line).isFalse());
            }
        }
    }
}

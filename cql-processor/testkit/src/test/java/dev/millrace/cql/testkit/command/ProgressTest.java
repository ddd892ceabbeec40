package dev.millrace.cql.testkit.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ProgressTest
{
    private static final long SECOND_NS = 1_000_000_000L;

    private final StringWriter text = new StringWriter();
    private final AtomicLong clock = new AtomicLong();

    private Progress progress(final boolean isWatched)
    {
        return new Progress(new PrintWriter(text, true), isWatched, true, clock::get);
    }

    @Test
    void shouldSayHowFarItIsAfterTwoSecondsOfSilence()
    {
        final Progress progress = progress(true);
        progress.look(1, "rows read");
        clock.set(2 * SECOND_NS - 1);
        progress.look(2, "rows read");
        assertThat(text.toString()).isEmpty();
        clock.set(2 * SECOND_NS);
        progress.look(1_234_567, "rows read");
        assertThat(text.toString()).startsWith("\r1,234,567 rows read ");
    }

    @Test
    void shouldShowWhichPartIsDoneWhenTheWholeIsKnown()
    {
        final Progress progress = progress(true);
        progress.whole(200, () -> 84);
        clock.set(2 * SECOND_NS);
        progress.look(1_000, "rows read");
        assertThat(text.toString()).startsWith("\r1,000 rows read, 42 %");
    }

    @Test
    void shouldWipeItsLineBeforeRowsArePrinted()
    {
        final Progress progress = progress(true);
        clock.set(3 * SECOND_NS);
        progress.look(5, "rows read");
        final int before = text.toString().length();
        progress.clear();
        assertThat(text.toString().substring(before)).matches("\r +\r");
        clock.set(4 * SECOND_NS);
        progress.look(6, "rows read");
        progress.clear();
        assertThat(text.toString()).doesNotContain("6 rows");
    }

    @Test
    void shouldBeSilentWhenNobodyLooksOn()
    {
        final Progress progress = progress(false);
        clock.set(100 * SECOND_NS);
        progress.done(1, "rows read");
        progress.look(1, "rows read");
        progress.clear();
        assertThat(text.toString()).isEmpty();
    }
}

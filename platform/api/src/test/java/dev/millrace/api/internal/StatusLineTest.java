package dev.millrace.api.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class StatusLineTest
{
    private static final long SECOND_NS = 1_000_000_000L;
    private static final int WIDTH = 78;

    private final StringWriter text = new StringWriter();
    private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE);
    private final StatusLine line = new StatusLine(new PrintWriter(text), 2 * SECOND_NS, SECOND_NS, clock::get);

    private void pass(final long ns)
    {
        clock.addAndGet(ns);
    }

    @Test
    void shouldBeSilentUntilACommandTakesLong()
    {
        pass(2 * SECOND_NS - 1);
        line.show("reading");
        assertThat(text.toString()).isEmpty();
        pass(1);
        line.show("reading");
        assertThat(text.toString()).isEqualTo("\rreading" + " ".repeat(WIDTH - "reading".length()));
    }

    @Test
    void shouldOverwriteTheLineOnlyAfterAStepAndWithAnotherText()
    {
        pass(2 * SECOND_NS);
        line.show("1");
        pass(SECOND_NS - 1);
        line.show("2");
        pass(1);
        line.show("1");
        assertThat(text.toString()).doesNotContain("2").hasSize(1 + WIDTH);
        line.show("3");
        assertThat(text.toString()).contains("\r3").hasSize(2 * (1 + WIDTH));
    }

    @Test
    void shouldAddTheSecondsSinceTheBegin()
    {
        pass(5 * SECOND_NS);
        line.begin();
        pass(3 * SECOND_NS);
        line.showWithSeconds("warming up");
        assertThat(text.toString()).startsWith("\rwarming up, 3 s ");
    }

    @Test
    void shouldCutLinesThatWouldWrap()
    {
        pass(2 * SECOND_NS);
        line.show("x".repeat(200));
        assertThat(text.toString()).isEqualTo("\r" + "x".repeat(WIDTH));
    }

    @Test
    void shouldRemoveTheLineBeforeOtherOutput()
    {
        line.clear();
        assertThat(text.toString()).isEmpty();
        pass(2 * SECOND_NS);
        line.show("reading");
        line.clear();
        line.close();
        assertThat(text.toString().substring(1 + WIDTH)).isEqualTo("\r" + " ".repeat(WIDTH) + "\r");
    }

    @Test
    void shouldPrintNothingWithoutATerminal()
    {
        StatusLine.NONE.begin();
        assertThat(StatusLine.NONE.isDue()).isFalse();
        StatusLine.NONE.show("reading");
        StatusLine.NONE.showWithSeconds("reading");
        StatusLine.NONE.close();
    }
}

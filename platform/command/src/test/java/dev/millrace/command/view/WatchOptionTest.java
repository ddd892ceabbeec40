package dev.millrace.command.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.command.cli.CommandException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Timeout(60)
class WatchOptionTest
{
    /** A command that has only this option. */
    @Command(name = "show")
    private static final class Show
    {
        @Mixin
        private WatchOption watch;
    }

    private static WatchOption watch(final String... arguments)
    {
        final Show show = new Show();
        new CommandLine(show).parseArgs(arguments);
        return show.watch;
    }

    @Test
    void shouldShowItOnceWithoutTheOption() throws Exception
    {
        final StringWriter text = new StringWriter();
        assertThat(watch().show(new PrintWriter(text), out ->
        {
            out.println("block");
            out.flush();
            return 2;
        })).isEqualTo(2);
        assertThat(text).hasToString("block\n");
    }

    @Test
    void shouldGoOnWhenTheInstanceDoesNotAnswerUntilItIsInterrupted()
    {
        final StringWriter text = new StringWriter();
        final AtomicInteger blocks = new AtomicInteger();
        assertThatThrownBy(() -> watch("--watch", "--interval", "1").show(new PrintWriter(text), out ->
        {
            if (blocks.incrementAndGet() == 1)
            {
                throw new CommandException(2, "CMD-0110", "no answer", "start it");
            }
            out.println("block");
            Thread.currentThread().interrupt();
            return 0;
        })).isInstanceOf(InterruptedException.class);
        assertThat(text.toString()).contains("CMD-0110").endsWith("block\n");
    }

    @Test
    void shouldRefuseAPeriodThatIsNone()
    {
        assertThatThrownBy(() -> watch("--watch", "--interval=0").show(new PrintWriter(new StringWriter()), out -> 0))
            .isInstanceOf(CommandException.class).hasMessageContaining("CMD-0202");
        final WatchOption tooLong = watch("--watch", "--interval=3601");
        assertThatThrownBy(() -> tooLong.show(new PrintWriter(new StringWriter()), out -> 0))
            .isInstanceOf(CommandException.class).hasMessageContaining("CMD-0202");
        assertThat(watch("--watch").isOn()).isTrue();
    }

    @Test
    void shouldOverwriteABlockWithoutClearingTheScreenFirst()
    {
        assertThat(WatchOption.overwriting("a\nbb\n")).isEqualTo("\u001b[Ha\u001b[K\nbb\u001b[K\n\u001b[J");
    }
}

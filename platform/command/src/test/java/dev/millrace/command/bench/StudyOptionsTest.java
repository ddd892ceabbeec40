package dev.millrace.command.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.command.cli.CommandException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranges of numbers on the command line. */
@Timeout(60)
class StudyOptionsTest
{
    @Test
    void shouldReadRangesAndLists()
    {
        assertThat(StudyOptions.numbers("--connections", "1-3", 1, 64)).containsExactly(1L, 2L, 3L);
        assertThat(StudyOptions.numbers("--connections", "1, 4,7-8", 1, 64)).containsExactly(1L, 4L, 7L, 8L);
        assertThat(StudyOptions.numbers("--rates", "70000", 1, 100_000)).containsExactly(70_000L);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "3-x", "1,,2", "-1", "5-3", "0-2", "65", "1-65", "9999999999"})
    void shouldRefuseWhatIsNoRange(final String text)
    {
        assertThatThrownBy(() -> StudyOptions.numbers("--connections", text, 1, 64))
            .isInstanceOf(CommandException.class).hasMessageContaining("--connections");
    }
}

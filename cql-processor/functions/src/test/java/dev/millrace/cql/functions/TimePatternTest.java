package dev.millrace.cql.functions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.cql.runtime.row.RowRejectedException;
import java.text.SimpleDateFormat;
import java.util.Date;
import java.util.Locale;
import java.util.Random;
import java.util.TimeZone;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Compares formatted times with those of the Java class whose pattern letters are used. */
@Timeout(60)
class TimePatternTest
{
    private static final String[] PATTERNS = {"yyyy-MM-dd", "HH:mm", "yyyyMMdd-HHmm", "MM/dd/yyyy HH:mm:ss", "hh a",
        "EEE d MMM yy", "HH:mm:ss.SSS", "'yyyy' MM", "D", "", "'day' d", "m", "H", "ss", "''yyyy''"};
    private static final long[] STEPS_NS = {1_000_000L, 400_000_000L, 20_000_000_000L, 1_000_000_000_000L,
        30_000_000_000_000L};

    @Test
    void shouldGiveWhatSimpleDateFormatGivesForTimesCloseTogetherAndFarApart()
    {
        final long seed = Long.getLong("seed", 20_261_127L);
        System.out.println("seed=" + seed);
        final Random random = new Random(seed);
        for (final String pattern : PATTERNS)
        {
            final SimpleDateFormat expected = new SimpleDateFormat(pattern, Locale.ENGLISH);
            expected.setTimeZone(TimeZone.getTimeZone("UTC"));
            for (final long stepNs : STEPS_NS)
            {
                long timeNs = random.nextInt(2) == 0 ? -40 * stepNs : 1_700_000_000_000_000_000L;
                for (int i = 0; i < 200; i++)
                {
                    final String text = expected.format(new Date(Math.floorDiv(timeNs, 1_000_000L)));
                    assertThat(ConversionFunctions.timestampToChar(timeNs, pattern)).as("%s of %d", pattern, timeNs)
                        .isEqualTo(text.isEmpty() ? null : text);
                    timeNs += random.nextLong(stepNs);
                }
            }
        }
    }

    @Test
    void shouldKeepTheTextOfAMinuteAndMakeNoOther()
    {
        final String first = ConversionFunctions.timestampToChar(60_000_000_000L, "HH:mm");
        assertThat(ConversionFunctions.timestampToChar(119_999_999_999L, "HH:mm")).isSameAs(first);
        assertThat(ConversionFunctions.timestampToChar(120_000_000_000L, "HH:mm")).isEqualTo("00:02");
    }

    @Test
    void shouldKnowMorePatternsThanItKeeps()
    {
        for (int i = 0; i < 500; i++)
        {
            assertThat(ConversionFunctions.timestampToChar(0, "'" + i + "'yyyy")).isEqualTo(i + "1970");
        }
    }

    @Test
    void shouldRejectWhatIsNoPattern()
    {
        assertThatThrownBy(() -> ConversionFunctions.timestampToChar(0, "bad pattern"))
            .isInstanceOf(RowRejectedException.class).hasMessageContaining("to_char")
            .hasMessageContaining("bad pattern");
    }
}

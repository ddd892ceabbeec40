package dev.millrace.tuning.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class MarketDataTest
{
    private final MarketData data = new MarketData(1_000);

    @TempDir
    private Path directory;

    @Test
    void shouldNameSymbolsInOneLengthWhenThereAreAThousand()
    {
        assertThat(data.ticker(0)).isEqualTo("S0AAA");
        assertThat(data.ticker(42)).isEqualTo("S42AA");
        assertThat(data.ticker(999)).isEqualTo("S999A");
        assertThat(data.eventBytes()).isEqualTo(25);
    }

    @Test
    void shouldFindTheSymbolWhenTheTickerIsOneOfTheKit()
    {
        for (int i = 0; i < 1_000; i++)
        {
            assertThat(symbolOf(data.ticker(i))).isEqualTo(i);
        }
        for (final String other : new String[] {"SAAAA", "T0AAA", "S1000", "S1A2A", "S1AAB", "s1AAA", "S99 A", "S 9AA"})
        {
            assertThat(symbolOf(other)).as(other).isEqualTo(-1);
        }
    }

    private int symbolOf(final String ticker)
    {
        return data.symbolAt(ByteBuffer.wrap(("??" + ticker).getBytes(StandardCharsets.US_ASCII)), 2);
    }

    @Test
    void shouldMakeEverySymbolAndSoundNumbersWhenEventsAreRandom()
    {
        final SplittableRandom random = new SplittableRandom(7);
        final boolean[] seen = new boolean[1_000];
        for (int i = 0; i < 100_000; i++)
        {
            final long bits = random.nextLong();
            seen[data.symbol(bits)] = true;
            assertThat(MarketData.price(bits)).isBetween(1.0, 101.0);
            assertThat(MarketData.volume(bits)).isBetween(1, 1_000);
        }
        assertThat(seen).doesNotContain(false);
    }

    @Test
    void shouldRegisterAStatementASymbolWhenItHasADollarSign() throws Exception
    {
        final Path file = Files.writeString(directory.resolve("own.properties"),
            "MINE=select ticker from Market where ticker = '$' and price > 5.0\nSTP=select ticker from Market\n");
        final Statements statements = new Statements(file);
        assertThat(statements.of("MINE", new MarketData(3))).containsExactly(
            "select ticker from Market where ticker = 'S0' and price > 5.0",
            "select ticker from Market where ticker = 'S1' and price > 5.0",
            "select ticker from Market where ticker = 'S2' and price > 5.0");
        assertThat(statements.of("STP", data)).containsExactly("select ticker from Market");
        assertThat(statements.of("NOOP", data)).isEmpty();
        assertThat(statements.of("VWAP-ROWS", data)).hasSize(1_000);
        assertThatThrownBy(() -> statements.of("NOPE", data)).isInstanceOf(KitException.class)
            .hasMessageContaining("unknown mode").hasMessageContaining("MINE");
    }

    @Test
    void shouldTakeTheClockForOneWhenAnswersLieBetween()
    {
        assertThat(ClockCheck.of(new long[] {10, 100}, new long[] {12, 100}, new long[] {20, 130}))
            .isEqualTo(new ClockCheck(0, 0));
        // The second exchange is the faster one: 1100 was at 105 of the client, plus or minus 5.
        assertThat(ClockCheck.of(new long[] {10, 100}, new long[] {1_040, 1_100}, new long[] {90, 110}))
            .isEqualTo(new ClockCheck(995, 5));
        assertThat(ClockCheck.of(new long[] {10, 100}, new long[] {12, 90}, new long[] {20, 130}).uncertaintyNs())
            .isEqualTo(5);
    }
}

package dev.millrace.command.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.data.Offset.offset;

import dev.millrace.command.cli.CommandException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SoakResultTest
{
    private static SoakResult heaps(final long... bytes)
    {
        final List<SoakSample> samples = new ArrayList<>();
        for (final long heap : bytes)
        {
            samples.add(new SoakSample(1_000, heap, 70, 30, 200_000_000));
        }
        return new SoakResult(100, samples);
    }

    private static SoakSample sample(final long handles, final long threads)
    {
        return new SoakSample(1_000, 10_000, handles, threads, 200_000_000);
    }

    @Test
    void shouldCallALiveHeapFlatUpToOneHundredth()
    {
        assertThat(heaps(10_000, 10_050, 10_100).isFlat()).isTrue();
        assertThatCode(heaps(10_000, 10_050, 10_100)::check).doesNotThrowAnyException();
        assertThat(heaps(10_000, 10_050, 10_101).isFlat()).isFalse();
    }

    @Test
    void shouldCompareMediansSoThatOneOddSampleDecidesNothing()
    {
        final SoakResult result = heaps(10_000, 99_000, 10_000, 10_000, 10_000, 10_000, 10_080, 10_080, 77_000);
        assertThat(result.heapGrowth()).isEqualTo(0.008, offset(1e-12));
        assertThat(result.isFlat()).isTrue();
    }

    @Test
    void shouldNameWhatGrew()
    {
        final SoakResult handles = new SoakResult(100, List.of(sample(70, 30), sample(70, 30), sample(71, 30)));
        assertThat(handles.isFlat()).isFalse();
        assertThat(handles.table()).contains("handles     70 in the first third, 71 in the last, +1  GROWS",
            "threads     30 in the first third, 30 in the last, +0  flat", "+0.00 %  flat");
        final SoakResult threads = new SoakResult(100, List.of(sample(70, 30), sample(70, 30), sample(70, 31)));
        assertThatThrownBy(threads::check).isInstanceOf(CommandException.class)
            .hasMessageContaining("the instance grew under constant load");
    }

    @Test
    void shouldReadTheTotalOfAClassHistogram()
    {
        final String histogram = " num     #instances         #bytes  class name (module)\n" +
            "   1:         40000        3200000  [B (java.base@17)\nTotal        190000       17100000\n";
        assertThat(SoakSample.number(Pattern.compile("(?m)^Total\\s+\\d+\\s+(\\d+)\\s*$"), histogram,
            "jcmd")).isEqualTo(17_100_000);
        assertThatThrownBy(() -> SoakSample.number(Pattern.compile("^x(\\d)"), "1234:\nno", "jcmd"))
            .isInstanceOf(CommandException.class).hasMessageContaining("output=1234:");
    }
}

package dev.millrace.cql.runtime.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.millrace.api.event.Dictionary;
import java.lang.management.ManagementFactory;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TextIdsTest
{
    private final Dictionary dictionary = new Dictionary("texts");
    private final TextIds ids = new TextIds(dictionary);

    private static void fill(final TextIds ids, final int count)
    {
        for (final String text : texts(count))
        {
            ids.idOf(text);
        }
    }

    private static String[] texts(final int count)
    {
        final String[] texts = new String[count];
        for (int i = 0; i < count; i++)
        {
            texts[i] = "text " + i * 7;
        }
        return texts;
    }

    @Test
    @Tag("large")
    void shouldGiveTheIdsOfTheDictionaryWhenTextsPushEachOtherOut()
    {
        final long seed = 20261121;
        final SplittableRandom random = new SplittableRandom(seed);
        final String[] texts = texts(200_000);
        for (int i = 0; i < 1_000_000; i++)
        {
            final int which = random.nextInt(random.nextInt(texts.length) + 1);
            final int id = ids.idOf(texts[which]);
            assertThat(dictionary.string(id)).as("seed=%d step=%d", seed, i).isEqualTo(texts[which]);
        }
        assertThat(ids.places()).isEqualTo(TextIds.MOST_PLACES);
    }

    @Test
    void shouldGrowAndForgetNoIdWhenSomeThousandTextsPushEachOtherOut()
    {
        final String[] texts = texts(5_000);
        for (int pass = 0; pass < 3; pass++)
        {
            for (int i = 0; i < texts.length; i++)
            {
                assertThat(ids.idOf(texts[i])).isEqualTo(i + 1);
            }
        }
        assertThat(ids.places()).isBetween(1 << 12, 1 << 14);
    }

    @Test
    void shouldStaySmallWhenTextsAreFew()
    {
        for (int i = 0; i < 10_000; i++)
        {
            ids.idOf("few " + i % 200);
        }
        assertThat(ids.places()).isEqualTo(1 << 10);
    }

    @Test
    @Tag("large")
    void shouldHardlyAllocateWhenAFewThousandTextsComeAgainAndAgain()
    {
        final String[] texts = texts(3_000);
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        long allocated = Long.MAX_VALUE;
        for (int pass = 0; pass < 2_000; pass++)
        {
            final long before = threads.getCurrentThreadAllocatedBytes();
            for (final String text : texts)
            {
                ids.idOf(text);
            }
            allocated = threads.getCurrentThreadAllocatedBytes() - before;
        }
        assertThat(allocated).as("bytes for %d texts", texts.length).isLessThan(texts.length);
    }

    @Test
    void shouldRefuseWhenTheDictionaryIsFull()
    {
        final TextIds one = new TextIds(new Dictionary("small", 2));
        one.idOf("a");
        assertThatThrownBy(() -> fill(one, 5))
            .isInstanceOf(RowRejectedException.class).hasMessageContaining("no room for another text, domain=small");
    }
}

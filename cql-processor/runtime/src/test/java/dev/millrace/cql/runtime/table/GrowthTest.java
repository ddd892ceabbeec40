package dev.millrace.cql.runtime.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cql.runtime.Growth;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tables of pipelines grow in small steps; the check detects that a list, which does not, copies itself. */
@Timeout(60)
class GrowthTest
{
    private static final int MANY = 1 << 20;

    @Test
    void shouldSeeWhenAllIsCopied()
    {
        final List<Object> list = new ArrayList<>();
        assertThat(Growth.largestPart(MANY, i -> list.add(list))).isGreaterThan(0.1);
    }

    @Test
    void shouldGrowInSmallSteps()
    {
        final LongSlotMap longs = new LongSlotMap();
        Growth.check("LongSlotMap", MANY, i -> longs.slotOf(i * 31L));
        final RowSlotMap rows = new RowSlotMap(2, Integer.MAX_VALUE);
        Growth.check("RowSlotMap", MANY, i ->
        {
            rows.key()[0] = i;
            rows.key()[1] = -i;
            rows.slotOfKey();
        });
        final NotFinite notFinite = new NotFinite();
        Growth.check("NotFinite", MANY, i -> notFinite.change(i, Double.NaN, 1));
    }
}

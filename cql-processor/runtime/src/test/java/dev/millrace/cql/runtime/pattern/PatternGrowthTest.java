package dev.millrace.cql.runtime.pattern;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.cql.runtime.Growth;
import dev.millrace.cql.runtime.flow.RowLayout;
import dev.millrace.cql.runtime.flow.RowStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What patterns keep of partitions, labellings and matches grows in small steps. */
@Timeout(60)
class PatternGrowthTest
{
    private static final int MANY = 1 << 20;

    @Test
    void shouldKeepTimersInTablesThatGrowInSmallSteps()
    {
        final TimingWheel wheel = new TimingWheel();
        Growth.check("TimingWheel", MANY, i -> wheel.set(i, i * 1_000_000_000L));
        final SlotClock clock = new SlotClock();
        Growth.check("SlotClock", MANY, i -> clock.set(i, MANY - i, i));
    }

    @Test
    void shouldKeepLabellingsAndMatchesInTablesThatGrowInSmallSteps()
    {
        final Trails trails = new Trails(2, true, MemoryAccount.NONE);
        final long[] registers = new long[2];
        Growth.check("Trails", MANY, i -> trails.add(i - 1, 0, 0, i, registers));
        final MatchQueue queue = new MatchQueue(new RowStore(new RowLayout(CqlType.INT), MANY), null);
        Growth.check("MatchQueue", MANY, i -> queue.add(i, MANY - i, i));
    }
}

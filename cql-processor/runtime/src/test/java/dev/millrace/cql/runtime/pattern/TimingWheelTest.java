package dev.millrace.cql.runtime.pattern;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TimingWheelTest
{
    private static final int SLOTS = 200;
    private static final int STEPS = 20_000;

    private final TimingWheel wheel = new TimingWheel();

    /** Lets time pass as an engine does: from wake to wake. Fired timers are cancelled. */
    private List<String> pass(final long untilNs)
    {
        final List<String> fired = new ArrayList<>();
        long nowNs = wheel.wakeNs();
        while (nowNs <= untilNs && nowNs != SlotClock.NEVER)
        {
            wheel.advance(nowNs);
            for (int slot = wheel.dueSlot(nowNs); slot >= 0; slot = wheel.dueSlot(nowNs))
            {
                fired.add(wheel.timeNs(slot) + "@" + nowNs);
                wheel.set(slot, SlotClock.NEVER);
            }
            nowNs = wheel.wakeNs();
        }
        wheel.advance(untilNs);
        return fired;
    }

    @Test
    void shouldFireEachTimerAtItsExactTimeInOrder()
    {
        wheel.set(3, 5_000_000_000L);
        wheel.set(1, 5_000_000_001L);
        wheel.set(2, 7);
        wheel.set(9, 3_600_000_000_000L);
        assertThat(pass(4_000_000_000L)).containsExactly("7@7");
        assertThat(pass(5_000_000_000L)).containsExactly("5000000000@5000000000");
        assertThat(pass(Long.MAX_VALUE - 1)).containsExactly("5000000001@5000000001", "3600000000000@3600000000000");
        assertThat(wheel.wakeNs()).isEqualTo(SlotClock.NEVER);
    }

    @Test
    void shouldForgetATimerThatIsCancelledOrMoved()
    {
        wheel.set(0, 10_000_000_000L);
        wheel.set(1, 20_000_000_000L);
        wheel.set(0, 30_000_000_000L);
        wheel.set(1, SlotClock.NEVER);
        wheel.set(1_000, SlotClock.NEVER);
        assertThat(pass(29_999_999_999L)).isEmpty();
        assertThat(pass(30_000_000_000L)).containsExactly("30000000000@30000000000");
    }

    @Test
    void shouldReachFromTheBeginningOfTimeToItsEnd()
    {
        wheel.set(0, Long.MIN_VALUE);
        wheel.set(1, -1);
        wheel.set(2, 0);
        wheel.set(3, Long.MAX_VALUE - 1);
        assertThat(pass(Long.MAX_VALUE - 1)).containsExactly(Long.MIN_VALUE + "@" + Long.MIN_VALUE, "-1@-1", "0@0",
            (Long.MAX_VALUE - 1) + "@" + (Long.MAX_VALUE - 1));
    }

    @Test
    void shouldFireAtOnceWhatIsSetInThePast()
    {
        pass(1_000_000_000_000L);
        wheel.set(5, 3);
        assertThat(wheel.wakeNs()).isEqualTo(3);
        wheel.advance(1_000_000_000_001L);
        assertThat(wheel.dueSlot(1_000_000_000_001L)).isEqualTo(5);
    }

    @Test
    void shouldFireWhatASortedListWouldFire()
    {
        final long seed = Long.getLong("seed", 20_261_123L);
        final Random random = new Random(seed);
        final Map<Integer, Long> model = new HashMap<>();
        long nowNs = random.nextLong() >> 2;
        pass(nowNs);
        int firedInAll = 0;
        for (int step = 0; step < STEPS; step++)
        {
            final int slot = random.nextInt(SLOTS);
            if (random.nextInt(4) == 0)
            {
                wheel.set(slot, SlotClock.NEVER);
                model.remove(slot);
            }
            else
            {
                final long timeNs = nowNs + 1 + (random.nextLong() >>> random.nextInt(20, 60));
                wheel.set(slot, timeNs);
                model.put(slot, timeNs);
            }
            if (random.nextInt(3) == 0)
            {
                nowNs += random.nextLong() >>> random.nextInt(28, 60);
                final long untilNs = nowNs;
                final List<Long> expected =
                    model.values().stream().filter(timeNs -> timeNs <= untilNs).sorted().toList();
                model.values().removeIf(timeNs -> timeNs <= untilNs);
                assertThat(pass(nowNs)).as("seed=%s step=%s", seed, step)
                    .containsExactlyElementsOf(expected.stream().map(timeNs -> timeNs + "@" + timeNs).toList());
                firedInAll += expected.size();
            }
        }
        assertThat(firedInAll).as("seed=%s", seed).isGreaterThan(STEPS / 20);
    }
}

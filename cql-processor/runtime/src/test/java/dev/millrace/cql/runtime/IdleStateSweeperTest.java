package dev.millrace.cql.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.api.memory.MemoryAccount;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class IdleStateSweeperTest
{
    private static final long IDLE_NS = 1000;

    private final IdleStateSweeper sweep = new IdleStateSweeper(IDLE_NS, MemoryAccount.NONE);
    private final List<Integer> forgotten = new ArrayList<>();

    private void sweep(final long nowNs)
    {
        sweep.sweep(nowNs, 1, forgotten::add);
    }

    @Test
    void shouldForgetASlotOnceItHasBeenIdleForTheWholeTime()
    {
        sweep.touched(0, -5000);
        sweep.touched(1, 100);
        sweep(-4001);
        assertThat(forgotten).isEmpty();
        sweep(-4000);
        assertThat(forgotten).containsExactly(0);
        sweep.touched(1, 900);
        sweep(1899);
        assertThat(forgotten).containsExactly(0);
        sweep(1900);
        sweep(9000);
        assertThat(forgotten).containsExactly(0, 1);
        assertThat(sweep.forgotten()).isEqualTo(2);
        sweep.touched(0, 9000);
        sweep(10_000);
        assertThat(forgotten).as("a slot that is used again").containsExactly(0, 1, 0);
    }

    @Test
    void shouldNotForgetWhatIsGoneAlready()
    {
        sweep.touched(0, 0);
        sweep.gone(0);
        sweep(5000);
        assertThat(forgotten).isEmpty();
        assertThat(sweep.forgotten()).isZero();
    }

    @Test
    void shouldLookAtFewSlotsACallAndAtAllInTurn()
    {
        for (int slot = 0; slot < 1000; slot++)
        {
            sweep.touched(slot, 0);
        }
        sweep(IDLE_NS);
        assertThat(forgotten).hasSize(IdleStateSweeper.LEAST_SLOTS);
        for (int i = 0; i < 1000 / IdleStateSweeper.LEAST_SLOTS; i++)
        {
            sweep(IDLE_NS);
        }
        assertThat(forgotten).hasSize(1000).doesNotHaveDuplicates();
    }

    @Test
    void shouldGoOnWhereTimesAreFarApart()
    {
        sweep.touched(0, Long.MIN_VALUE + 1);
        sweep(Long.MAX_VALUE);
        assertThat(forgotten).containsExactly(0);
        assertThatThrownBy(() -> new IdleStateSweeper(0, MemoryAccount.NONE)).hasMessageContaining("idleNs=0");
    }
}

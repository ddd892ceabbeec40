package dev.millrace.cql.runtime.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.api.function.CheckpointedState;
import dev.millrace.api.window.TimeWindow;
import dev.millrace.cql.runtime.unit.UserBounds;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Windows of applications whose state is written, and those whose class does not support it. */
@Timeout(60)
class UserObjectStateTest
{
    /** Holds rows after the last requested instant. */
    private static class Since implements TimeWindow
    {
        long lastNs;

        @Override
        public long afterNs(final long nowNs)
        {
            final long before = lastNs;
            lastNs = nowNs;
            return before;
        }

        @Override
        public long untilNs(final long nowNs)
        {
            return nowNs;
        }

        @Override
        public long nextNs(final long nowNs, final long oldestNs)
        {
            return nowNs + 100;
        }
    }

    private static final class Kept extends Since implements CheckpointedState
    {
        private final boolean isLazy;

        Kept(final boolean isLazy)
        {
            this.isLazy = isLazy;
        }

        @Override
        public void snapshotState(final DataOutput to) throws IOException
        {
            to.writeLong(lastNs);
        }

        @Override
        public void restoreState(final DataInput from) throws IOException
        {
            lastNs = isLazy ? 0 : from.readLong();
        }
    }

    private static final class Broken extends Since implements CheckpointedState
    {
        @Override
        public void snapshotState(final DataOutput to) throws IOException
        {
            throw new IOException("no disk");
        }

        @Override
        public void restoreState(final DataInput from)
        {
            throw new IllegalStateException("never written");
        }
    }

    private static StateInput written(final UserBounds bounds)
    {
        final StateOutput to = new StateOutput(1 << 10);
        bounds.write(to);
        return new StateInput(to.toBytes());
    }

    @Test
    void shouldGoOnWithWhatTheWindowHasWritten()
    {
        final UserBounds first = new UserBounds("since", new Kept(false), null);
        first.move(10);
        first.next(10, 5);
        final UserBounds second = new UserBounds("since", new Kept(false), null);
        final StateInput from = written(first);
        second.read(from);
        from.end();
        assertThat(second.dueNs()).isEqualTo(110);
        assertThat(second.isReached(10)).isTrue();
        assertThat(second.isReached(11)).isFalse();
        second.move(20);
        assertThat(second.isOut(10)).as("the window knows when it was asked last").isTrue();
        assertThat(second.isOut(11)).isFalse();
    }

    @Test
    void shouldNameTheClassThatDoesNotSayWhatItsStateIs()
    {
        assertThatThrownBy(() -> written(new UserBounds("since", new Since(), null)))
            .isInstanceOf(StateException.class).hasMessageContaining("window=since")
            .hasMessageContaining("class=" + Since.class.getName())
            .hasMessageContaining(CheckpointedState.class.getName());
    }

    @Test
    void shouldNameTheClassThatFails()
    {
        assertThatThrownBy(() -> written(new UserBounds("since", new Broken(), null)))
            .isInstanceOf(StateException.class).hasMessageContaining("method=snapshotState")
            .hasMessageContaining("class=" + Broken.class.getName()).hasMessageContaining("no disk");
        final StateInput from = written(new UserBounds("since", new Kept(false), null));
        assertThatThrownBy(() -> new UserBounds("since", new Broken(), null).read(from))
            .isInstanceOf(StateException.class).hasMessageContaining("method=restoreState")
            .hasMessageContaining("never written");
    }

    @Test
    void shouldRefuseAWindowThatLeavesStateUnread()
    {
        final StateInput from = written(new UserBounds("since", new Kept(false), null));
        assertThatThrownBy(() -> new UserBounds("since", new Kept(true), null).read(from))
            .isInstanceOf(StateException.class).hasMessageContaining("unread").hasMessageContaining("bytes=8");
    }
}

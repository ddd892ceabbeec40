package dev.millrace.client;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** The frames of a stream that the server may not have stored. Confined to the thread of the sender. */
final class UnacknowledgedFrames
{
    private record Frame(byte[] bytes, long firstRow, int rows)
    {
        long lastRow()
        {
            return firstRow + rows - 1;
        }
    }

    private final FrameBuffer format;
    private final Deque<Frame> frames = new ArrayDeque<>();
    private long bytes;

    /**
     * @param format of the frames
     */
    UnacknowledgedFrames(final FrameBuffer format)
    {
        this.format = format;
    }

    void add(final byte[] frame, final long firstRow, final int rows)
    {
        frames.add(new Frame(frame, firstRow, rows));
        bytes += frame.length;
    }

    /** Size of all frames. */
    long bytes()
    {
        return bytes;
    }

    /** Removes the frames whose rows are all stored. */
    void release(final long storedRows)
    {
        while (!frames.isEmpty() && frames.peek().lastRow() <= storedRows)
        {
            bytes -= frames.poll().bytes.length;
        }
    }

    /** The frames of the rows after those that are stored. */
    List<byte[]> after(final long storedRows)
    {
        release(storedRows);
        final List<byte[]> all = new ArrayList<>(frames.size());
        for (final Frame each : frames)
        {
            all.add(each.firstRow > storedRows ? each.bytes :
                format.without(each.bytes, (int)(storedRows + 1 - each.firstRow)));
        }
        return all;
    }
}

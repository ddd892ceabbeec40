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
    private long releasedRows;

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

    /** The number of the last row of the first frame; 0 without a frame. */
    long firstFrameEnd()
    {
        return frames.isEmpty() ? 0 : frames.peek().lastRow();
    }

    /** The number of the last row that was removed, which cannot be sent again; 0 if none was. */
    long releasedRows()
    {
        return releasedRows;
    }

    /** Removes the frames up to a row. */
    void release(final long row)
    {
        while (!frames.isEmpty() && frames.peek().lastRow() <= row)
        {
            releasedRows = frames.peek().lastRow();
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

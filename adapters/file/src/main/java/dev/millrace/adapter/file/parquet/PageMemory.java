package dev.millrace.adapter.file.parquet;

/** The memory that the pages, dictionaries and values of a row group may take at a time. Confined to one thread. */
final class PageMemory
{
    private final long maximumBytes;
    private long takenBytes;

    PageMemory(final long maximumBytes)
    {
        this.maximumBytes = maximumBytes;
    }

    /** Part of the memory, for a column. */
    final class Share
    {
        private final String column;
        private long bytes;

        Share(final String column)
        {
            this.column = column;
        }

        String column()
        {
            return column;
        }

        /**
         * Takes memory before it is allocated.
         *
         * @param more bytes, not negative
         * @throws RefusedFileException if the row group needs too much
         */
        void take(final long more) throws RefusedFileException
        {
            if (more > maximumBytes - takenBytes)
            {
                throw RefusedFileException.unsupported("the pages of the columns need too much memory, column=" +
                    column + " bytes=" + more + " taken=" + takenBytes + " maximum=" + maximumBytes +
                    "; write smaller pages, read fewer columns, or increase -Xmx");
            }
            takenBytes += more;
            bytes += more;
        }

        /** Returns what was taken. */
        void clear()
        {
            takenBytes -= bytes;
            bytes = 0;
        }
    }
}

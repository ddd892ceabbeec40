package dev.millrace.adapter.file.outbound;

import dev.millrace.adapter.common.property.PropertyCheck;
import dev.millrace.adapter.file.parquet.write.PageCompression;
import dev.millrace.adapter.file.parquet.write.ParquetColumn;
import dev.millrace.adapter.file.parquet.write.RowLog;

/**
 * Sink that writes events into Parquet files. Rows are appended to a log, from which a file is made when the log is
 * rotated.
 */
public final class ParquetSink extends AppendingSink
{
    private static final long MIN_GROUP_BYTES = 1 << 16;
    private static final long MAX_GROUP_BYTES = 1 << 30;
    /** The part of the heap that a row group may take. */
    private static final int HEAP_PARTS = 8;

    private String compression = "snappy";
    private String rowGroupSize = "16m";
    private int decimalScale = 10;
    private PageCompression checkedCompression;
    private long groupBytes;

    /** Creates a sink. */
    public ParquetSink()
    {
        properties.rotateSize = "128m";
        properties.rotateMinutes = 5;
    }

    /** {@code none}, {@code snappy}, {@code gzip}, {@code zstd} or {@code lz4}; default snappy. */
    public void setCompression(final String name)
    {
        compression = name;
    }

    /** The memory from which a row group is written; default 16m. */
    public void setRowGroupSize(final String size)
    {
        rowGroupSize = size;
    }

    /** The number of digits after the point of decimals; default 10. */
    public void setDecimalScale(final int digits)
    {
        decimalScale = digits;
    }

    @Override
    RowEncoding open(final PropertyCheck check)
    {
        checkedCompression = check.choice(PageCompression.class, "compression", compression,
            "use none, snappy, gzip, zstd or lz4");
        groupBytes = SinkProperties.bytes(check, "rowGroupSize", rowGroupSize);
        final long most = Math.min(MAX_GROUP_BYTES, Runtime.getRuntime().maxMemory() / HEAP_PARTS);
        check.require("rowGroupSize", rowGroupSize, groupBytes >= MIN_GROUP_BYTES && groupBytes <= most,
            "use 64k to " + most / 1024 + "k, an eighth of the heap; or increase -Xmx in config/jvm.options");
        check.range("decimalScale", decimalScale, 0, ParquetColumn.DECIMAL_DIGITS);
        return new LogEncoding(properties.format.check(check), decimalScale, check);
    }

    @Override
    String appended()
    {
        return FileNames.LOG;
    }

    @Override
    String finished()
    {
        return "";
    }

    @Override
    FileConversion conversion()
    {
        return (from, to) -> RowLog.convert(from, to, checkedCompression, groupBytes);
    }
}

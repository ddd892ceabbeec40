package dev.millrace.adapter.file.outbound;

import dev.millrace.adapter.common.encode.EventFormatter;
import dev.millrace.adapter.common.encode.RowFormat;
import dev.millrace.adapter.common.property.PropertyCheck;
import dev.millrace.adapter.file.property.FileErrorCode;

/** Sink that appends events to a file as lines. */
public final class FileSink extends AppendingSink
{
    private final RowFormat format;
    private boolean compress;

    /** @param format of this sink only */
    public FileSink(final RowFormat format)
    {
        this.format = format;
    }

    /** Whether files of CSV begin with the names of the columns; default true. */
    public void setHeader(final boolean header)
    {
        properties.format.header = header;
    }

    /** The separator of CSV: a character or {@code tab}; default a comma. */
    public void setSeparator(final String separator)
    {
        properties.format.separator = separator;
    }

    /** Whether rotated files are compressed; default false. */
    public void setCompress(final boolean compress)
    {
        this.compress = compress;
    }

    @Override
    RowEncoding open(final PropertyCheck check)
    {
        return new LineEncoding(
            new EventFormatter(format, properties.format.check(check), check, FileErrorCode.EVENTS));
    }

    @Override
    String appended()
    {
        return "";
    }

    @Override
    String finished()
    {
        return compress ? FileNames.GZIP : "";
    }

    @Override
    FileConversion conversion()
    {
        return compress ? RotatedFiles::gzip : null;
    }
}

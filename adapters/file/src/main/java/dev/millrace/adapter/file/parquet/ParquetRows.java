package dev.millrace.adapter.file.parquet;

import dev.millrace.adapter.common.decode.RejectReason;
import dev.millrace.adapter.common.decode.RowWriter;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type.Repetition;

/**
 * The rows of a file, in their order. Keeps a page and a dictionary of each column that is read. Confined to one
 * thread.
 *
 * <p>Failure: {@link RefusedFileException} if the file is damaged or does not fit the event type; {@link IOException}
 * if the disk cannot be read.
 */
public final class ParquetRows
{
    private final FileChannel channel;
    private final EventBatch batch;
    private final RowWriter writer;
    private final int[] columns;
    private final boolean isMissingNull;
    private final long maxMemoryBytes;
    private final List<ColumnReader> readers = new ArrayList<>();
    private final List<ColumnDescriptor> descriptors = new ArrayList<>();
    private final List<Integer> absent = new ArrayList<>();
    private FileMetaData metadata;
    private int nextGroup;
    private long leftOfGroup;
    private ColumnReader refusing;

    /**
     * Creates a reader; {@link #open} is next.
     *
     * @param channel        of the caller, which closes it; its position is not used
     * @param columns        of the batch that are read; the others are null
     * @param isMissingNull  whether columns that the file lacks are null instead of a reason to refuse it
     * @param maxMemoryBytes for the pages, dictionaries and values that are read at a time
     */
    public ParquetRows(final FileChannel channel, final EventBatch batch, final RowWriter writer, final int[] columns,
        final boolean isMissingNull, final long maxMemoryBytes)
    {
        this.channel = channel;
        this.batch = batch;
        this.writer = writer;
        this.columns = columns.clone();
        this.isMissingNull = isMissingNull;
        this.maxMemoryBytes = maxMemoryBytes;
    }

    /**
     * Reads the footer, and compares the columns with the event type.
     *
     * @param sizeBytes of the file
     */
    public void open(final long sizeBytes) throws IOException
    {
        final FileMetaData found = Footer.read(channel, sizeBytes);
        try
        {
            addColumns(topLevel(found.getSchema()));
        }
        catch (final RuntimeException e)
        {
            throw RefusedFileException.damaged("its footer is not consistent: " + e);
        }
        metadata = found;
    }

    private void addColumns(final Map<String, SchemaElement> existing) throws RefusedFileException
    {
        for (final int column : columns)
        {
            final EventProperty property = batch.schema().type().properties().get(column);
            final SchemaElement element = existing.get(property.name());
            if (element == null && isMissingNull)
            {
                absent.add(column);
            }
            else
            {
                add(property, element, column);
            }
        }
    }

    private void add(final EventProperty property, final SchemaElement element, final int column)
        throws RefusedFileException
    {
        if (element == null)
        {
            throw wrong("the file has no such column, column=" + property.name());
        }
        if (element.getNum_children() > 0 || element.getRepetition_type() == FieldRepetitionType.REPEATED)
        {
            throw wrong("a column is nested: lists, maps and structures cannot be read, column=" + property.name());
        }
        final Conversion conversion = element.isSetType() ? Conversion.of(element, property.type()) : null;
        if (conversion == null)
        {
            throw wrong("a column does not fit its property, column=" + property.name() + " property=" +
                property.type().cqlName() + " file=" + describe(element));
        }
        final boolean isRequired = element.getRepetition_type() == FieldRepetitionType.REQUIRED;
        final PrimitiveTypeName type = PrimitiveTypeName.valueOf(
            element.getType() == org.apache.parquet.format.Type.BYTE_ARRAY ? "BINARY" : element.getType().name());
        descriptors.add(new ColumnDescriptor(new String[] {property.name()}, new PrimitiveType(
            isRequired ? Repetition.REQUIRED : Repetition.OPTIONAL, type, element.getType_length(), property.name()),
            0, isRequired ? 0 : 1));
        readers.add(new ColumnReader(property.name(), conversion, column, batch, writer));
    }

    private static RefusedFileException wrong(final String message)
    {
        return new RefusedFileException(RejectReason.WRONG_COLUMNS, message);
    }

    private static String describe(final SchemaElement element)
    {
        return element.getType() + (element.isSetLogicalType() ? " " + element.getLogicalType().getSetField() :
            element.isSetConverted_type() ? " " + element.getConverted_type() : "");
    }

    /** The columns and structures directly below the root. */
    private static Map<String, SchemaElement> topLevel(final List<SchemaElement> schema) throws RefusedFileException
    {
        final Map<String, SchemaElement> found = new HashMap<>();
        final Iterator<SchemaElement> elements = schema.iterator();
        int count = elements.hasNext() ? elements.next().getNum_children() : 0;
        int nested = 0;
        while (elements.hasNext() && (count > 0 || nested > 0))
        {
            final SchemaElement element = elements.next();
            if (nested > 0)
            {
                nested--;
            }
            else
            {
                count--;
                if (found.put(element.getName(), element) != null)
                {
                    throw wrong("the file has two columns of the same name, column=" + element.getName());
                }
            }
            nested += Math.max(0, element.getNum_children());
        }
        if (count > 0 || nested > 0 || elements.hasNext())
        {
            throw RefusedFileException.damaged("the schema in its footer is not complete");
        }
        return found;
    }

    /** Number of rows of the file. */
    public long count()
    {
        return metadata.getNum_rows();
    }

    /** Goes to a row, after {@link #open}; at most {@link #count}. */
    public void seek(final long target) throws IOException
    {
        long rest = target;
        while (rest > 0)
        {
            final long rows = metadata.getRow_groups().get(nextGroup).getNum_rows();
            if (rest < rows)
            {
                openGroup();
                for (final ColumnReader reader : readers)
                {
                    skip(reader, rest);
                }
                leftOfGroup -= rest;
                rest = 0;
            }
            else
            {
                rest -= rows;
                nextGroup++;
            }
        }
    }

    private static void skip(final ColumnReader reader, final long rows) throws IOException
    {
        try
        {
            reader.pages().skip(rows);
        }
        catch (final IOException | RuntimeException e)
        {
            throw classify(reader, e);
        }
    }

    /** The libraries throw what the bytes of a damaged page happen to cause, and wrap failures of the disk. */
    private static IOException classify(final ColumnReader reader, final Exception failure)
    {
        Throwable cause = failure;
        while (cause != null && !(cause instanceof DiskException) && !(cause instanceof RefusedFileException))
        {
            cause = cause.getCause();
        }
        return cause != null ? (IOException)cause :
            RefusedFileException.damaged("a page cannot be decoded, column=" + reader.name() + " reason=" + failure);
    }

    private void openGroup() throws IOException
    {
        final RowGroup group = metadata.getRow_groups().get(nextGroup++);
        final PageMemory memory = new PageMemory(maxMemoryBytes);
        final Map<String, ColumnChunk> chunks = new HashMap<>();
        for (final ColumnChunk chunk : group.getColumns())
        {
            if (chunk.isSetMeta_data() && chunk.getMeta_data().getPath_in_schema().size() == 1)
            {
                chunks.put(chunk.getMeta_data().getPath_in_schema().get(0), chunk);
            }
        }
        for (int i = 0; i < readers.size(); i++)
        {
            final ColumnReader reader = readers.get(i);
            final ColumnChunk chunk = chunks.get(reader.name());
            if (chunk == null || chunk.isSetFile_path() || chunk.isSetCrypto_metadata())
            {
                throw RefusedFileException.unsupported("the values of a column are missing, encrypted or in another " +
                    "file, column=" + reader.name());
            }
            reader.open(new PageReader(channel, chunk.getMeta_data(), descriptors.get(i), group.getNum_rows(), memory),
                memory);
        }
        leftOfGroup = group.getNum_rows();
    }

    /**
     * Decodes the next rows.
     *
     * @return how many, at most {@link EventBatch#CAPACITY}; 0 at the end of the file
     */
    public int load() throws IOException
    {
        while (leftOfGroup == 0)
        {
            if (nextGroup == metadata.getRow_groups().size())
            {
                return 0;
            }
            openGroup();
        }
        int count = (int)Math.min(leftOfGroup, EventBatch.CAPACITY);
        ColumnReader current = null;
        try
        {
            for (final ColumnReader reader : readers)
            {
                current = reader;
                // Rows before a page that is damaged are complete.
                count = Math.min(count, reader.ensurePage());
            }
            for (final ColumnReader reader : readers)
            {
                current = reader;
                reader.load(count);
            }
        }
        catch (final IOException | RuntimeException e)
        {
            throw classify(current, e);
        }
        leftOfGroup -= count;
        return count;
    }

    /**
     * Writes a row that {@link #load} has decoded to the batch.
     *
     * @return {@code null}, or why the row is rejected; {@link #detail} describes the value then
     */
    public RejectReason put(final int index, final int row)
    {
        for (final int column : absent)
        {
            batch.setNull(column, row);
        }
        for (final ColumnReader reader : readers)
        {
            final RejectReason refusal = reader.put(index, row);
            if (refusal != null)
            {
                refusing = reader;
                return refusal;
            }
        }
        return null;
    }

    /** Describes the value for which {@link #put} has rejected a row. */
    public String detail(final int index)
    {
        return refusing.describe(index);
    }
}

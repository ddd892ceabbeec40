package dev.millrace.adapter.http.inbound;

import dev.millrace.adapter.common.decode.CsvDecoder;
import dev.millrace.adapter.common.decode.JsonDecoder;
import dev.millrace.adapter.common.decode.RowWriter;
import dev.millrace.adapter.http.property.HttpErrorCode;
import dev.millrace.adapter.http.property.RefusedRequest;
import dev.millrace.api.event.EventType;
import dev.millrace.api.stage.EventBatchSender;
import dev.millrace.api.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;

/** Decodes and sends the rows of one request after the other, and responds. Confined to the thread of the source. */
final class RequestProcessor
{
    private static final int OK = 200;

    private final SourceSettings settings;
    private final EventBatchSender sender;
    private final SourceCounters counters;
    private final Clock clock;
    private final ProducerNumbers numbers;
    private final BodyScan scan;
    private final Records json;
    private final Records lines;
    private final Records csv;
    private final Records csvWithHeader;
    private final Records xml;
    private PostedRequest current;

    RequestProcessor(final SourceSettings settings, final EventBatchSender sender, final int[] columns,
        final SourceCounters counters, final Clock clock, final ProducerNumbers numbers)
    {
        this.settings = settings;
        this.sender = sender;
        this.counters = counters;
        this.clock = clock;
        this.numbers = numbers;
        final EventType type = sender.schema().type();
        final RequestBatch batch = new RequestBatch(sender);
        final RowWriter writer = new RowWriter(batch.batch(), columns);
        scan = new BodyScan(batch, writer, this::rejected);
        json = new JsonRecords(new JsonDecoder(writer, type, settings.isMissingNull()));
        lines = new LineRecords(new JsonDecoder(writer, type, settings.isMissingNull()));
        csv = new LineRecords(csv(writer, type, columns, false));
        csvWithHeader = new LineRecords(csv(writer, type, columns, true));
        xml = new XmlRecords(writer, type, columns, settings.isMissingNull());
    }

    private CsvDecoder csv(final RowWriter writer, final EventType type, final int[] columns, final boolean hasHeader)
    {
        return new CsvDecoder(writer, type, columns, hasHeader, hasHeader && settings.columns() == null,
            settings.separator(), settings.nullText(), settings.isMissingNull());
    }

    /** Processes a request that was taken; the response was sent when it returns. */
    void process(final PostedRequest posted)
    {
        current = posted;
        try
        {
            receive(posted);
        }
        catch (final RefusedRequest e)
        {
            posted.refuse(e);
        }
    }

    private void receive(final PostedRequest posted) throws RefusedRequest
    {
        final int sizeBytes = posted.body.size();
        if (sizeBytes == 0)
        {
            throw new RefusedRequest(RefusedRequest.BAD_REQUEST, HttpErrorCode.NO_ROWS, "the body is empty",
                "send an object, an array, lines or an XML document");
        }
        scan.check(records(posted.format), posted.body.bytes(), sizeBytes);
        if (scan.rejected() > 0 && !settings.isPartAccepted())
        {
            counters.refused(HttpErrorCode.BAD_ROW);
            final Map<String, Object> answer = new LinkedHashMap<>();
            answer.put("rows", 0);
            answer.put("rejected", scan.rejected());
            answer.put("problems", scan.problems());
            posted.answer(RefusedRequest.BAD_REQUEST, answer);
            return;
        }
        final RequestKey key = posted.key;
        if (key != null && scan.records() > RequestKey.MAX_ROWS)
        {
            throw new RefusedRequest(RefusedRequest.TOO_LARGE, HttpErrorCode.TOO_LARGE, "a request with a key has " +
                "more than " + RequestKey.MAX_ROWS + " rows", "send several requests");
        }
        final Numbering numbering = key == null ? numbers.own() : numbers.of(posted.client, key);
        final long last = numbering.number(scan.lastRow());
        final boolean isDuplicate = key != null && scan.rows() > 0 && numbers.isReceived(numbering, last);
        if (!isDuplicate && scan.rows() > 0)
        {
            send(numbering, last, key == null);
        }
        answer(posted, isDuplicate, numbering.isStored());
    }

    private Records records(final MediaFormat format)
    {
        return switch (format.kind())
        {
            case JSON -> json;
            case LINES -> lines;
            case XML -> xml;
            case CSV -> (format.hasHeader() == null ? settings.hasHeader() : format.hasHeader()) ? csvWithHeader : csv;
        };
    }

    private void send(final Numbering numbering, final long last, final boolean isOwn) throws RefusedRequest
    {
        if (isOwn)
        {
            numbers.sent(numbering, scan.records());
        }
        final int rows = scan.rows();
        scan.send(numbering, clock.epochNs());
        counters.sent(rows);
        if (!numbers.awaitReceived(numbering, last))
        {
            throw new RefusedRequest(RefusedRequest.UNAVAILABLE, HttpErrorCode.NOT_CONFIRMED,
                "the rows were sent, but it is not known whether they are stored",
                "repeat the request; with the same " + RequestKey.HEADER + ", no row is processed twice");
        }
    }

    private void answer(final PostedRequest posted, final boolean isDuplicate, final boolean isStored)
    {
        final Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("rows", scan.rows());
        if (isDuplicate)
        {
            counters.duplicate();
            answer.put("duplicate", true);
        }
        answer.put("stored", isStored);
        if (scan.rejected() > 0)
        {
            answer.put("rejected", scan.rejected());
            answer.put("problems", scan.problems());
        }
        posted.answer(OK, answer);
    }

    private void rejected(final Map<String, Object> position, final RowProblem problem)
    {
        final Map<String, Object> origin = new LinkedHashMap<>();
        origin.put("client", current.client);
        origin.putAll(position);
        counters.rejected(origin, problem);
        sender.reject(1, problem.reason(), problem.code() + " a posted row was rejected, stage=" +
            settings.stageName() + ' ' + origin + ' ' + problem.detail());
    }
}

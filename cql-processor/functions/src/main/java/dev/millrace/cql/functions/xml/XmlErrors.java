package dev.millrace.cql.functions.xml;

import dev.millrace.cql.runtime.function.FunctionErrors;
import dev.millrace.cql.runtime.row.RowRejectedException;

/** Rejections of rows for which an XML function fails. */
final class XmlErrors
{
    private static final int MAX_LENGTH = 300;

    private XmlErrors()
    {
    }

    /** Creates an exception with the reason for XML; a long detail is cut. */
    static RowRejectedException failure(final String detail)
    {
        return new RowRejectedException(
            FunctionErrors.XML, detail.substring(0, Math.min(MAX_LENGTH, detail.length())));
    }
}

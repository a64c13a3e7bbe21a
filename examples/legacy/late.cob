      * Which deliveries will be late, learned from eight that have been.
      * A delivery is two features, its carrier (0 to 2) and its weekday
      * (10 to 14). Arrays go BY REFERENCE, counts and handles BY VALUE.
      *     cobc -x -fstatic-call late.cob -lsparselin
      * Without -fstatic-call GnuCOBOL looks for what is CALLed among its
      * own modules, unless COB_PRE_LOAD=libsparselin is set, and
      * COB_LIBRARY_PATH to the folder that it lies in.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. LATE.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  MODEL               USAGE POINTER.
       01  NO-ADDRESS             USAGE POINTER VALUE NULL.
       01  RESULT              USAGE BINARY-LONG.
       01  SL-ERROR.
           05  SL-STATUS       USAGE BINARY-LONG.
           05  FILLER          PIC X(4).
           05  SL-ROW          USAGE BINARY-DOUBLE.
           05  SL-MESSAGE      PIC X(256).
       01  DELIVERIES.
           05  INDEX-LIST.
               10  FILLER      USAGE BINARY-LONG VALUE 0.
               10  FILLER      USAGE BINARY-LONG VALUE 10.
               10  FILLER      USAGE BINARY-LONG VALUE 1.
               10  FILLER      USAGE BINARY-LONG VALUE 11.
               10  FILLER      USAGE BINARY-LONG VALUE 2.
               10  FILLER      USAGE BINARY-LONG VALUE 12.
               10  FILLER      USAGE BINARY-LONG VALUE 0.
               10  FILLER      USAGE BINARY-LONG VALUE 13.
               10  FILLER      USAGE BINARY-LONG VALUE 1.
               10  FILLER      USAGE BINARY-LONG VALUE 14.
               10  FILLER      USAGE BINARY-LONG VALUE 2.
               10  FILLER      USAGE BINARY-LONG VALUE 10.
               10  FILLER      USAGE BINARY-LONG VALUE 0.
               10  FILLER      USAGE BINARY-LONG VALUE 11.
               10  FILLER      USAGE BINARY-LONG VALUE 1.
               10  FILLER      USAGE BINARY-LONG VALUE 12.
           05  LATE-LIST.
               10  FILLER      USAGE COMP-2 VALUE 1.
               10  FILLER      USAGE COMP-2 VALUE -1.
               10  FILLER      USAGE COMP-2 VALUE 1.
               10  FILLER      USAGE COMP-2 VALUE 1.
               10  FILLER      USAGE COMP-2 VALUE -1.
               10  FILLER      USAGE COMP-2 VALUE -1.
               10  FILLER      USAGE COMP-2 VALUE 1.
               10  FILLER      USAGE COMP-2 VALUE -1.
       01  ROW-POINTERS.
           05  ROW-POINTER     USAGE BINARY-DOUBLE OCCURS 9.
       01  NEXT-ROW.
           05  FILLER          USAGE BINARY-LONG VALUE 0.
           05  FILLER          USAGE BINARY-LONG VALUE 12.
       01  ROWS                USAGE BINARY-DOUBLE UNSIGNED.
       01  SCORE               USAGE COMP-2.
       01  PROBABILITY         USAGE COMP-2.
       01  I                   USAGE BINARY-LONG.
       01  PERCENT             PIC Z9.
       PROCEDURE DIVISION.
       MAIN-PART.
           PERFORM VARYING I FROM 1 BY 1 UNTIL I > 9
               COMPUTE ROW-POINTER(I) = 2 * (I - 1)
           END-PERFORM.
           CALL "sl_model_create" USING BY VALUE NO-ADDRESS
               BY REFERENCE MODEL SL-ERROR RETURNING RESULT.
           PERFORM CHECK-RESULT.
           MOVE 8 TO ROWS.
           PERFORM 20 TIMES
               CALL "sl_model_feed_csr" USING
                   BY VALUE MODEL ROWS
                   BY REFERENCE ROW-POINTERS INDEX-LIST
                   BY VALUE NO-ADDRESS
                   BY REFERENCE LATE-LIST
                   BY VALUE NO-ADDRESS NO-ADDRESS
                   BY REFERENCE SL-ERROR RETURNING RESULT
               PERFORM CHECK-RESULT
           END-PERFORM.
           MOVE 1 TO ROWS.
           CALL "sl_model_predict_csr" USING
               BY VALUE MODEL ROWS
               BY REFERENCE ROW-POINTERS NEXT-ROW
               BY VALUE NO-ADDRESS
               BY REFERENCE SCORE SL-ERROR RETURNING RESULT.
           PERFORM CHECK-RESULT.
           CALL "sl_model_probabilities" USING
               BY VALUE MODEL
               BY REFERENCE SCORE
               BY VALUE ROWS
               BY REFERENCE PROBABILITY SL-ERROR RETURNING RESULT.
           PERFORM CHECK-RESULT.
           COMPUTE PERCENT = 100 * PROBABILITY.
           DISPLAY "The next delivery is late with a chance of "
               FUNCTION TRIM(PERCENT) " %".
           CALL "sl_model_free" USING BY VALUE MODEL.
           STOP RUN.
       CHECK-RESULT.
           IF RESULT NOT = 0
               INSPECT SL-MESSAGE REPLACING ALL X"00" BY SPACE
               DISPLAY SL-MESSAGE UPON SYSERR
               STOP RUN RETURNING 1
           END-IF.

-- Programs on SBV, among them examples that its library carries. Argument: the solver, z3, cvc5 or cvc4. A line of JSON per program.
{-# LANGUAGE OverloadedStrings, ScopedTypeVariables #-}
module Main (main) where

import Control.Exception (SomeException, evaluate, try)
import Data.SBV
import Data.SBV.Control hiding (timeout)
import Data.SBV.RegExp
import Data.SBV.String ((.++))
import qualified Data.SBV.String as S
import Data.SBV.Tuple (_1, _2, (^.))
import qualified Documentation.SBV.Examples.Queries.AllSat as AllSat
import qualified Documentation.SBV.Examples.Queries.Enums as Enums
import qualified Documentation.SBV.Examples.Queries.GuessNumber as Guess
import qualified Documentation.SBV.Examples.Strings.RegexCrossword as Crossword
import qualified Documentation.SBV.Examples.Strings.SQLInjection as Injection
import qualified Documentation.SBV.Examples.Uninterpreted.Sort as Sort
import qualified Documentation.SBV.Examples.Uninterpreted.UISortAllSat as UISort
import System.Environment (getArgs)
import System.IO
import System.Timeout (timeout)

type Program = (String, String, SMTConfig -> IO Bool)

main :: IO ()
main = do
  [name] <- getArgs
  hSetBuffering stdout LineBuffering
  let solver = case name of { "cvc5" -> cvc5; "cvc4" -> cvc4; _ -> z3 }
  mapM_ (run solver) (programs <> if name == "z3" then examples else [])

run :: SMTConfig -> Program -> IO ()
run solver (group, name, program) = do
  done <- try (timeout 60000000 (program solver >>= evaluate))
  let outcome = case done of
        Right (Just True) -> "ok"
        Right (Just False) -> "another answer"
        Right Nothing -> "no response within 60 s"
        Left (e :: SomeException) -> map plain (take 300 (unwords (lines (show e))))
  putStrLn ("{\"group\": \"" <> group <> "\", \"name\": \"" <> name <> "\", \"outcome\": \"" <> outcome <> "\"}")
  where plain c = if c `elem` ("\"\\\t" :: String) then '\'' else c

-- They start z3.
examples :: [Program]
examples =
  [ ("its examples", "crossword 1", \_ -> (== ["ATO", "WEL"]) <$> Crossword.puzzle1)
  , ("its examples", "crossword 2", \_ -> (== ["WA", "LK", "ER"]) <$> Crossword.puzzle2)
  , ("its examples", "crossword 3", \_ -> (== ["RATS", "ABUT", "TUBA", "STAR"]) <$> Crossword.puzzle3)
  , ("its examples", "SQL_injection", \_ -> (not . null) <$> Injection.findInjection Injection.exampleProgram)
  , ("its examples", "uninterpreted sort, sat", \_ -> modelExists <$> Sort.t1)
  , ("its examples", "uninterpreted sort, unsat", \_ -> (not . modelExists) <$> Sort.t2)
  , ("its examples", "lists over a sort", \_ -> modelExists <$> sat UISort.genLs)
  , ("its examples", "guess a number", \_ -> (not . null) <$> runSMT (Guess.guess 42))
  , ("its examples", "enumeration", \_ -> (not . null) <$> Enums.findDays)
  , ("its examples", "all solutions in a query", \_ -> (not . null) <$> runSMT AllSat.goodSum)
  ]

answer :: Bool -> Predicate -> SMTConfig -> IO Bool
answer wanted p solver = (== wanted) . modelExists <$> satWith solver p

programs :: [Program]
programs = map (\(name, p) -> ("programs", name, p))
  [ ("concatenation", answer True $ do { [x, y] <- sStrings ["x", "y"]; pure (x .++ y .== "hello" .&& S.length x .== 2) })
  , ("commuting words", answer False $ do { [x, y] <- sStrings ["x", "y"]; pure (x .++ y .== y .++ x .&& x .== "a" .&& y .== "b") })
  , ("digits", answer True $ do { x <- sString "x"; pure (x `match` KPlus digit .&& S.strToNat x .> 41 .&& S.strToNat x .< 43) })
  , ("replacement", answer True $ do { x <- sString "x"; pure (S.replace x "a" "b" .== "bba" .&& x ./= "bba") })
  , ("position", answer False $ do { x <- sString "x"; pure (S.indexOf x "b" .== 1 .&& x `match` KStar "a") })
  , ("real numbers", answer True $ do { [r, s] <- sReals ["r", "s"]; pure (r + s .== 1 .&& r .> 0.5 .&& s .> 0.25) })
  , ("integers", answer False $ do { [i, j] <- sIntegers ["i", "j"]; pure (2 * i .== 2 * j + 1) })
  , ("a proof", \solver -> (not . modelExists) <$> proveWith solver (\(x :: SString) -> S.length (x .++ "ab") .== S.length x + 2))
  , ("a value in a query", \solver -> runSMTWith solver $ do
      x <- sString "x"
      constrain (S.length x .== 3 .&& "b" `S.isInfixOf` x)
      query $ checkSat >>= \r -> case r of { Sat -> (\v -> length v == 3 && 'b' `elem` v) <$> getValue x; _ -> pure False })
  , ("levels of a query", \solver -> runSMTWith solver $ do
      x <- sString "x"
      query $ do
        constrain ("ab" `S.isPrefixOf` x)
        push 1
        constrain (S.length x .< 2)
        one <- checkSat
        pop 1
        two <- checkSat
        pure (one == Unsat && two == Sat))
  , ("a core", \solver -> runSMTWith solver $ do
      setOption (ProduceUnsatCores True)
      x <- sString "x"
      namedConstraint "short" (S.length x .< 2)
      namedConstraint "prefix" ("abc" `S.isPrefixOf` x)
      namedConstraint "idle" (x ./= "q")
      query $ checkSat >>= \r -> case r of { Unsat -> (\c -> "short" `elem` c && "prefix" `elem` c) <$> getUnsatCore; _ -> pure False })
  , ("pairs", answer True $ do { p <- free "p"; pure ((p :: STuple Integer String)^._1 .> 3 .&& S.length (p^._2) .== 2) })
  , ("all solutions", \solver -> do
      AllSatResult { allSatResults = r } <- allSatWith solver (do { x <- sString "x"; pure (S.length x .== 1 .&& x `match` Union ["a", "b", "c"]) })
      pure (length r == 3))
  , ("characters", answer True $ do { x <- sString "x"; pure (S.length x .== 2 .&& S.strToCharAt x 0 .== literal 'q') })
  , ("eight_bits", answer True $ do { w <- sWord8 "w"; pure (w + 1 .== 0) })
  ]

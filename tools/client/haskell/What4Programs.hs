-- Programs on what4. Argument: the solver, z3 or cvc4. A line of JSON per program.
{-# LANGUAGE DataKinds, GADTs, OverloadedStrings, RankNTypes, ScopedTypeVariables #-}
module Main (main) where

import Control.Exception (SomeException, try)
import Data.Foldable (forM_)
import Data.Parameterized.Nonce (newIONonceGenerator)
import Data.Parameterized.Some (Some (..))
import qualified Data.Parameterized.Context as Ctx
import System.Environment (getArgs)
import System.IO
import System.Timeout (timeout)
import What4.BaseTypes
import What4.Config (extendConfig)
import What4.Expr (EmptyExprBuilderState (..), ExprBuilder, FloatModeRepr (..), newExprBuilder)
import What4.Expr.GroundEval (GroundEvalFn (..))
import What4.Interface
import What4.SatResult (SatResult (..))
import What4.Solver
import What4.Utils.StringLiteral (StringLiteral (..))

-- A formula that should be satisfiable or not.
data Program = Program String Bool (forall t st fs. ExprBuilder t st fs -> IO (Pred (ExprBuilder t st fs)))

main :: IO ()
main = do
  [name] <- getArgs
  hSetBuffering stdout LineBuffering
  forM_ programs $ \p@(Program title _ _) -> report title (check name p)

report :: String -> IO String -> IO ()
report name action = do
  done <- try (timeout 60000000 action)
  let outcome = case done of
        Right (Just text) -> text
        Right Nothing -> "no response within 60 s"
        Left (e :: SomeException) -> map plain (take 300 (unwords (lines (show e))))
  putStrLn ("{\"group\": \"programs\", \"name\": \"" <> name <> "\", \"outcome\": \"" <> outcome <> "\"}")
  where plain c = if c `elem` ("\"\\\t" :: String) then '\'' else c

check :: String -> Program -> IO String
check name (Program _ wanted formula) = do
  Some nonces <- newIONonceGenerator
  sym <- newExprBuilder FloatRealRepr EmptyExprBuilderState nonces
  let adapter = if name == "z3" then z3Adapter else cvc4Adapter
  extendConfig (solver_adapter_config_options adapter) (getConfiguration sym)
  p <- formula sym
  solver_adapter_check_sat adapter sym defaultLogData [p] $ \result -> case result of
    Sat (ground, _) -> do
      holds <- groundEval ground p
      pure (if not wanted then "sat" else if holds then "ok" else "the model is wrong")
    Unsat _ -> pure (if wanted then "unsat" else "ok")
    Unknown -> pure "unknown"

string :: IsSymExprBuilder sym => sym -> String -> IO (SymString sym Unicode)
string sym name = freshConstant sym (safeSymbol name) (BaseStringRepr UnicodeRepr)

text :: IsExprBuilder sym => sym -> StringLiteral Unicode -> IO (SymString sym Unicode)
text = stringLit

programs :: [Program]
programs =
  [ Program "concatenation" True $ \sym -> do
      x <- string sym "x"; y <- string sym "y"
      xy <- stringConcat sym x y; both <- text sym (UnicodeLiteral "hello")
      one <- stringEq sym xy both
      two <- stringLength sym x >>= \n -> intLit sym 2 >>= intEq sym n
      andPred sym one two
  , Program "a part of a part" False $ \sym -> do
      x <- string sym "x"; y <- string sym "y"
      one <- stringContains sym x y; two <- stringContains sym y x
      three <- stringEq sym x y >>= notPred sym
      andPred sym one two >>= andPred sym three
  , Program "index" True $ \sym -> do
      x <- string sym "x"; b <- text sym (UnicodeLiteral "b"); from <- intLit sym 0
      at <- stringIndexOf sym x b from
      intLit sym 3 >>= intEq sym at
  , Program "suffix" False $ \sym -> do
      x <- string sym "x"; b <- text sym (UnicodeLiteral "ab")
      one <- stringIsSuffixOf sym b x
      two <- stringLength sym x >>= \n -> intLit sym 2 >>= intLt sym n
      andPred sym one two
  , Program "part" True $ \sym -> do
      x <- string sym "x"; from <- intLit sym 1; n <- intLit sym 2
      part <- stringSubstring sym x from n
      text sym (UnicodeLiteral "bc") >>= stringEq sym part
  , Program "real numbers" True $ \sym -> do
      r <- freshConstant sym (safeSymbol "r") BaseRealRepr
      s <- freshConstant sym (safeSymbol "s") BaseRealRepr
      total <- realAdd sym r s
      one <- realLit sym 1 >>= realEq sym total
      two <- realLit sym 0.75 >>= \q -> realLt sym q r
      andPred sym one two
  , Program "functions" False $ \sym -> do
      f <- freshTotalUninterpFn sym (safeSymbol "f") (Ctx.Empty Ctx.:> BaseIntegerRepr) BaseIntegerRepr
      x <- freshConstant sym (safeSymbol "x") BaseIntegerRepr
      y <- freshConstant sym (safeSymbol "y") BaseIntegerRepr
      fx <- applySymFn sym f (Ctx.Empty Ctx.:> x); fy <- applySymFn sym f (Ctx.Empty Ctx.:> y)
      one <- intEq sym x y
      two <- intEq sym fx fy >>= notPred sym
      andPred sym one two
  , Program "eight_bits" True $ \sym -> do
      w <- freshConstant sym (safeSymbol "w") (BaseBVRepr (knownNat :: NatRepr 8))
      bvIsNonzero sym w
  ]
